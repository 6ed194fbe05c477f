import Foundation

open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    fileprivate struct Members {
        var attachments: [UNNotificationAttachment] = []
        var badge: NSNumber?
        var body = ""
        var categoryIdentifier = ""
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var launchImageName = ""
        var relevanceScore = 0.0
        var sound: UNNotificationSound?
        var subtitle = ""
        var summaryArgument = ""
        var summaryArgumentCount = 1
        var targetContentIdentifier: String?
        var threadIdentifier = ""
        var title = ""
        var userInfo: [AnyHashable: Any] = [:]
    }

    fileprivate var members = Members()

    open var attachments: [UNNotificationAttachment] { members.attachments }
    open var badge: NSNumber? { members.badge }
    open var body: String { members.body }
    open var categoryIdentifier: String { members.categoryIdentifier }
    open var interruptionLevel: UNNotificationInterruptionLevel { members.interruptionLevel }
    open var launchImageName: String { members.launchImageName }
    open var relevanceScore: Double { members.relevanceScore }
    open var sound: UNNotificationSound? { members.sound }
    open var subtitle: String { members.subtitle }
    open var summaryArgument: String { members.summaryArgument }
    open var summaryArgumentCount: Int { members.summaryArgumentCount }
    open var targetContentIdentifier: String? { members.targetContentIdentifier }
    open var threadIdentifier: String { members.threadIdentifier }
    open var title: String { members.title }
    open var userInfo: [AnyHashable: Any] { members.userInfo }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UNNotificationContent()
        copy.members = members
        return copy
    }

    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UNMutableNotificationContent()
        copy.members = members
        return copy
    }
}

open class UNMutableNotificationContent: UNNotificationContent {
    override open var attachments: [UNNotificationAttachment] {
        get { members.attachments }
        set { members.attachments = newValue }
    }
    override open var badge: NSNumber? {
        get { members.badge }
        set { members.badge = newValue }
    }
    override open var body: String {
        get { members.body }
        set { members.body = newValue }
    }
    override open var categoryIdentifier: String {
        get { members.categoryIdentifier }
        set { members.categoryIdentifier = newValue }
    }
    override open var interruptionLevel: UNNotificationInterruptionLevel {
        get { members.interruptionLevel }
        set { members.interruptionLevel = newValue }
    }
    override open var launchImageName: String {
        get { members.launchImageName }
        set { members.launchImageName = newValue }
    }
    override open var relevanceScore: Double {
        get { members.relevanceScore }
        set { members.relevanceScore = newValue }
    }
    override open var sound: UNNotificationSound? {
        get { members.sound }
        set { members.sound = newValue }
    }
    override open var subtitle: String {
        get { members.subtitle }
        set { members.subtitle = newValue }
    }
    override open var summaryArgument: String {
        get { members.summaryArgument }
        set { members.summaryArgument = newValue }
    }
    override open var summaryArgumentCount: Int {
        get { members.summaryArgumentCount }
        set { members.summaryArgumentCount = newValue }
    }
    override open var targetContentIdentifier: String? {
        get { members.targetContentIdentifier }
        set { members.targetContentIdentifier = newValue }
    }
    override open var threadIdentifier: String {
        get { members.threadIdentifier }
        set { members.threadIdentifier = newValue }
    }
    override open var title: String {
        get { members.title }
        set { members.title = newValue }
    }
    override open var userInfo: [AnyHashable: Any] {
        get { members.userInfo }
        set { members.userInfo = newValue }
    }
}

public enum UNNotificationInterruptionLevel: UInt, Sendable {
    case passive, active, timeSensitive, critical
}

public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
}

open class UNNotificationSound: NSObject {
    /// Stub only: nil is the default sound.
    public let stubName: UNNotificationSoundName?
    public let stubIsCritical: Bool
    public let stubVolume: Float?

    private init(_ name: UNNotificationSoundName?, isCritical: Bool, volume: Float? = nil) {
        stubName = name
        stubIsCritical = isCritical
        stubVolume = volume
    }

    public convenience init(named name: UNNotificationSoundName) { self.init(name, isCritical: false) }

    open class var `default`: UNNotificationSound { UNNotificationSound(nil, isCritical: false) }
    open class var defaultCritical: UNNotificationSound { UNNotificationSound(nil, isCritical: true) }

    open class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
        UNNotificationSound(nil, isCritical: true, volume: volume)
    }

    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(name, isCritical: true)
    }

    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName, withAudioVolume volume: Float
    ) -> UNNotificationSound {
        UNNotificationSound(name, isCritical: true, volume: volume)
    }
}
