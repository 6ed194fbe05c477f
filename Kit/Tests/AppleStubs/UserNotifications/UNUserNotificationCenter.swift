import Foundation

public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let badge = Self(rawValue: 1 << 0)
    public static let sound = Self(rawValue: 1 << 1)
    public static let alert = Self(rawValue: 1 << 2)
    public static let carPlay = Self(rawValue: 1 << 3)
    public static let criticalAlert = Self(rawValue: 1 << 4)
    public static let providesAppNotificationSettings = Self(rawValue: 1 << 5)
    public static let provisional = Self(rawValue: 1 << 6)
}

/// Keeps what it is given, and counts the calls that cost time on a phone. Completion handlers run before the call
/// returns, on the caller's thread; Apple's run later, on a background queue.
open class UNUserNotificationCenter: NSObject {
    /// Stub only: the state of a center, as a value.
    public struct State {
        public var settings = UNNotificationSettings(stub: .notDetermined)
        /// The answer to the question for permission.
        public var isGranted = true
        public var requestedOptions: [UNAuthorizationOptions] = []
        public var categories: Set<UNNotificationCategory> = []
        public var categoryCalls = 0
        /// True: a new set holds from the next read on, as iOS sets it some time after the call.
        public var setsCategoriesLater = false
        fileprivate var laterCategories: Set<UNNotificationCategory>?
        public var pending: [UNNotificationRequest] = []
        public var addCalls = 0
        /// The next `add` fails with it.
        public var addError: (any Error)?
        public var delivered: [UNNotification] = []
        public var badge: Int?

        public init() {}
    }

    private let lock = NSLock()
    private var state = State()

    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    /// Stub only: Apple's has one object, `current()`.
    public init(stub state: State) { self.state = state }

    // The lock guards its state.
    nonisolated(unsafe) private static let shared = UNUserNotificationCenter(stub: State())

    open class func current() -> UNUserNotificationCenter { shared }

    /// Stub only.
    @discardableResult
    public func stub<Value>(_ change: (inout State) throws -> Value) rethrows -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try change(&state)
    }

    open var supportsContentExtensions: Bool { true }

    // MARK: Permission

    open func requestAuthorization(
        options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let isGranted = stub { state in
            state.requestedOptions.append(options)
            if state.settings.authorizationStatus == .notDetermined {
                state.settings = UNNotificationSettings(stub: state.isGranted ? .authorized : .denied)
            }
            return state.settings.authorizationStatus != .denied
        }
        completionHandler(isGranted, nil)
    }

    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
        completionHandler(stub { $0.settings })
    }

    // MARK: Categories

    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        stub {
            $0.categoryCalls += 1
            if $0.setsCategoriesLater { $0.laterCategories = categories } else { $0.categories = categories }
        }
    }

    open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        completionHandler(
            stub {
                $0.categories = $0.laterCategories ?? $0.categories
                $0.laterCategories = nil
                return $0.categories
            })
    }

    // MARK: Pending and delivered notifications

    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let error: (any Error)? = stub { state in
            state.addCalls += 1
            if let error = state.addError {
                state.addError = nil
                return error
            }
            state.pending.removeAll { $0.identifier == request.identifier }
            state.pending.append(request)
            return nil
        }
        completionHandler?(error)
    }

    open func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        completionHandler(stub { $0.pending })
    }

    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        stub { state in state.pending.removeAll { identifiers.contains($0.identifier) } }
    }

    open func removeAllPendingNotificationRequests() { stub { $0.pending = [] } }

    open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        completionHandler(stub { $0.delivered })
    }

    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        stub { state in state.delivered.removeAll { identifiers.contains($0.request.identifier) } }
    }

    open func removeAllDeliveredNotifications() { stub { $0.delivered = [] } }

    open func setBadgeCount(
        _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        stub { $0.badge = newBadgeCount }
        completionHandler?(nil)
    }
}
