/// A part of the API: its routes and what they need.
///
/// Groups that `API.init` does not build (devices, acknowledgements) are passed to it:
/// `API(…, groups: [DeviceRoutes(…), AcknowledgementRoutes(…)])`.
public protocol RouteGroup: Sendable {
    func add(to routes: inout Routes)
}
