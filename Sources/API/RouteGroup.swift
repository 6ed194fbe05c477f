/// A part of the API: its routes and what they need.
///
/// Groups that are made outside of this module's `API.init` (devices, acknowledgements) are handed to it:
/// `API(…, groups: [DeviceRoutes(…), AcknowledgementRoutes(…)])`.
public protocol RouteGroup: Sendable {
    func add(to routes: inout Routes)
}
