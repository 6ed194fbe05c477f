public import API
public import Dispatcher

// The API and the dispatcher do not depend on each other; these conformances connect them.

extension TestPushSender: TestPusher {}
extension PushSender: Pusher {}
extension APNSCredentialChecker: CredentialChecker {}
