public import API
public import Dispatcher

// The API and the dispatcher do not know each other; here they meet.

extension TestPushSender: TestPusher {}
extension PushSender: Pusher {}
