extension Category {
    /// The part of a content extension's Info.plist that refers to this category; nil without a content extension.
    public var infoPlistFragment: String? {
        guard let contentExtension else { return nil }
        return """
            <key>NSExtension</key>
            <dict>
                <key>NSExtensionAttributes</key>
                <dict>
                    <key>UNNotificationExtensionCategory</key>
                    <string>\(SourceLiteral.xml(identifier))</string>
                    <key>UNNotificationExtensionInitialContentSizeRatio</key>
                    <real>\(contentExtension.initialContentSizeRatio)</real>
                    <key>UNNotificationExtensionDefaultContentHidden</key>
                    <\(contentExtension.defaultContentHidden)/>
                    <key>UNNotificationExtensionOverridesDefaultTitle</key>
                    <\(contentExtension.overridesDefaultTitle)/>
                    <key>UNNotificationExtensionUserInteractionEnabled</key>
                    <\(contentExtension.userInteractionEnabled)/>
                </dict>
                <key>NSExtensionMainStoryboard</key>
                <string>MainInterface</string>
                <key>NSExtensionPointIdentifier</key>
                <string>com.apple.usernotifications.content-extension</string>
            </dict>

            """
    }
}
