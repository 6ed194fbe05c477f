import Foundation

@MainActor
open class UIDevice: NSObject {
    public static let current = UIDevice()

    open var systemName: String { "iOS" }
    open var systemVersion: String { "18.2" }
    open var model: String { "iPhone" }
    open var identifierForVendor: UUID? { nil }
}
