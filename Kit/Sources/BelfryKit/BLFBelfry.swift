#if canImport(ObjectiveC)
    import BelfryCore
    import Foundation
    import UserNotifications

    /// `Belfry.shared` for Objective-C. Each method does what the method of `Belfry` with its name does, from any thread.
    ///
    /// A completion handler is called once, on the main queue. `Scripts/checks/kit-objective-c` compiles this file on
    /// Linux without its attributes, so it uses public interfaces and types that Objective-C has.
    @objc(BLFBelfry)
    public final class BLFBelfry: NSObject {
        /// Starts the kit, and returns at once. `messageIDKey` is nil: then the server says it.
        @objc(startWithAPI:publishableKey:appGroup:keychainGroup:messageIDKey:)
        public static func start(
            api: URL, publishableKey: String, appGroup: String?, keychainGroup: String?, messageIDKey: String?
        ) {
            Belfry.start(
                BelfryConfiguration(
                    api: api, publishableKey: publishableKey, appGroup: appGroup, keychainGroup: keychainGroup,
                    payloadKeys: messageIDKey.map { PayloadKeys(messageID: $0) }))
        }

        // MARK: The device and its person

        /// The token for alerts, at each launch.
        @objc(registerToken:)
        public static func register(token: Data) { Belfry.shared.register(token: token) }

        /// A token of another kind, like `voip`. `activity` is the Live Activity of a `live_activity_update`, else nil.
        @objc(registerToken:kind:activity:)
        public static func register(token: Data, kind: String, activity: String?) {
            Belfry.shared.register(token: token, as: TokenKind(kind, activity: activity))
        }

        /// Call it when the app comes to the foreground. `reserving` is the number of local notifications for the app.
        @objc(refreshReserving:)
        public static func refresh(reserving: Int) { Belfry.shared.refresh(reserving: reserving) }

        /// Asks the person for permission to show alerts, badges and sounds.
        @objc(requestAuthorizationWithCompletionHandler:)
        public static func requestAuthorization(completionHandler: @escaping @MainActor @Sendable (Bool) -> Void) {
            Task { await completionHandler(Belfry.shared.requestAuthorization()) }
        }

        /// The person who uses the app. `person` has JSON values, as `person` of a registration.
        @objc(logInUser:signature:person:)
        public static func logIn(user: String, signature: String?, person: [String: Any]?) {
            Belfry.shared.logIn(user, signature: signature, person: person.map { JSONValue(any: $0) })
        }

        /// Nobody uses the app any more.
        @objc(logOut)
        public static func logOut() { Belfry.shared.logOut() }

        /// Changes of the installation. `attributes` has JSON values; NSNull removes one.
        @objc(addTags:removeTags:attributes:)
        public static func update(addedTags: [String], removedTags: [String], attributes: [String: Any]) {
            var change = DeviceChange()
            change.device.addedTags = addedTags
            change.device.removedTags = removedTags
            change.device.attributes = attributes.mapValues { JSONValue(any: $0) }
            Belfry.shared.update(change)
        }

        /// The switches for a settings screen; nil without a network. `all` is the app's name for all campaigns, or nil.
        @objc(topicsWithNameOfAll:completionHandler:)
        public static func topics(
            all: String?, completionHandler: @escaping @MainActor @Sendable ([BLFTopic]?) -> Void
        ) {
            Task { @MainActor in completionHandler(await Belfry.shared.topics(all: all)?.map(BLFTopic.init)) }
        }

        /// The person's choice on that screen; `*` stands for all campaigns.
        @objc(setOptedOut:ofTopic:)
        public static func setOptedOut(_ isOptedOut: Bool, topic: String) {
            Belfry.shared.setOptedOut(isOptedOut, of: topic)
        }

        // MARK: Pushes

        /// Records an event, like `opened`, on the disk before it returns.
        @objc(recordUserInfo:kind:)
        public static func record(userInfo: [AnyHashable: Any], kind: String) {
            Belfry.shared.record(userInfo, Event.Kind(rawValue: kind))
        }

        /// The person's response. Go where the result says, and call iOS's completion handler yourself.
        @objc(handleResponse:)
        public static func handle(_ response: UNNotificationResponse) -> BLFHandling {
            BLFHandling(Belfry.shared.handle(response))
        }

        /// A push in the foreground. Pass the result on to iOS's completion handler.
        @objc(willPresentNotification:)
        public static func willPresent(_ notification: UNNotification) -> UNNotificationPresentationOptions {
            Belfry.shared.willPresent(notification)
        }

        /// A silent push: its members beside `aps`, or nil if it is not Belfry's.
        @objc(receiveUserInfo:)
        public static func receive(userInfo: [AnyHashable: Any]) -> [String: Any]? {
            Belfry.shared.receive(userInfo)?.custom.mapValues(\.foundation)
        }

        /// The person did what a push was for. False if they opened none within a week.
        @discardableResult
        @objc(convert:value:)
        public static func convert(_ name: String, value: NSNumber?) -> Bool {
            Belfry.shared.convert(name, value: value?.doubleValue)
        }

        /// The person did something in the app. `properties` has strings and numbers; a value that JSON does not have is a
        /// diagnostic.
        @objc(track:value:properties:)
        public static func track(_ name: String, value: NSNumber?, properties: [String: Any]?) {
            let values = (properties ?? [:]).mapValues { value -> JSONValue in
                let json = JSONValue(any: value)
                // A date, or a number that is not finite: not the null that leaves a property out.
                return json == .null && !(value is NSNull) ? .array([]) : json
            }
            Belfry.shared.track(name, value: value?.doubleValue, properties: values)
        }

        /// The app is becoming active.
        @objc(recordInfluencedOpensWithCompletionHandler:)
        public static func recordInfluencedOpens(completionHandler: @escaping @MainActor @Sendable () -> Void) {
            Task {
                await Belfry.shared.recordInfluencedOpens()
                await completionHandler()
            }
        }

        // MARK: What iOS keeps, and the queue

        /// Fetches the categories and registers them.
        @objc(registerCategoriesWithCompletionHandler:)
        public static func registerCategories(completionHandler: @escaping @MainActor @Sendable () -> Void) {
            Task {
                await Belfry.shared.registerCategories()
                await completionHandler()
            }
        }

        /// Schedules the server's local notifications: those that are pending and those that do not fit, or -1 twice if
        /// the server was never reached.
        @objc(scheduleLocalPlansReserving:completionHandler:)
        public static func scheduleLocalPlans(
            reserving: Int, completionHandler: @escaping @MainActor @Sendable (Int, Int) -> Void
        ) {
            Task {
                let result = await Belfry.shared.scheduleLocalPlans(reserving: reserving)
                await completionHandler(result?.kept ?? -1, result?.omitted ?? -1)
            }
        }

        /// Sends what waits.
        @objc(flushWithCompletionHandler:)
        public static func flush(completionHandler: @escaping @MainActor @Sendable () -> Void) {
            Task {
                await Belfry.shared.flush()
                await completionHandler()
            }
        }

        /// Calls the handler on the main queue with each mistake and warning, for developers. Call it once, after `start`.
        @objc(readDiagnosticsWithHandler:)
        public static func readDiagnostics(handler: @escaping @MainActor @Sendable (String) -> Void) {
            Task { for await diagnostic in Belfry.shared.diagnostics { await handler(diagnostic.description) } }
        }
    }

    /// The result of a response, `Client.Handling` for Objective-C.
    @objc(BLFHandlingKind)
    public enum BLFHandlingKind: Int {
        /// The push is not Belfry's.
        case foreign
        /// The person tapped the notification.
        case opened
        /// The person chose `identifier`.
        case action
        /// The person wrote `text` to `identifier`.
        case reply
        /// The person cleared the notification.
        case dismissed
        /// iOS reported a response again that was handled.
        case repeated
    }

    /// The action that a response asks of the app.
    @objc(BLFHandling)
    public final class BLFHandling: NSObject {
        /// The kind of the response.
        @objc public let kind: BLFHandlingKind
        /// The members of the push beside `aps`; empty for a foreign or repeated one.
        @objc public let custom: [String: Any]
        /// The action of an action or a reply.
        @objc public let identifier: String?
        /// The text of a reply.
        @objc public let text: String?
        /// The link of a button that was typed for the push, if it has one: open it.
        @objc public let link: URL?

        init(_ handling: Client.Handling) {
            var push: Push?
            var identifier: String?
            var text: String?
            switch handling {
            case .foreign: kind = .foreign
            case .repeated: kind = .repeated
            case .opened(let opened):
                kind = .opened
                push = opened
            case .dismissed(let dismissed):
                kind = .dismissed
                push = dismissed
            case .action(let of, let chosen):
                kind = .action
                (push, identifier) = (of, chosen)
            case .reply(let of, let chosen, let reply):
                kind = .reply
                (push, identifier, text) = (of, chosen, reply)
            }
            custom = push?.custom.mapValues(\.foundation) ?? [:]
            self.identifier = identifier
            self.text = text
            link = identifier.flatMap { push?.link(for: $0) }
        }
    }

    /// `Topic` for Objective-C.
    @objc(BLFTopic)
    public final class BLFTopic: NSObject {
        /// The key for `setOptedOut:ofTopic:`.
        @objc public let key: String
        /// The name in the person's language.
        @objc public let name: String
        /// A sentence about it.
        @objc public let details: String?
        /// True if the person wants none of it.
        @objc public let isOptedOut: Bool

        init(_ topic: Topic) {
            key = topic.key
            name = topic.name
            details = topic.details
            isOptedOut = topic.isOptedOut
        }
    }
#endif
