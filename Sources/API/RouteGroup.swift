/// A part of the API: its routes and what they need. `APIGraph` lists the groups.
protocol RouteGroup: Sendable {
    func add(to routes: inout Routes)
}
