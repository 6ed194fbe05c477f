@_exported import Foundation

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError("A stub is not drawn.") }
}

/// Stub only: a view of the framework, which has no body of its own.
public protocol StubView: View where Body == Never {}

extension StubView {
    public var body: Never { return fatalError("A stub is not drawn.") }
}

/// Apple's has more forms, as for conditions.
@resultBuilder
public enum ViewBuilder {
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
}

public struct TupleView<Content>: StubView {
    nonisolated init() {}
}

/// Stub only: what a modifier returns.
public struct StubModified: StubView {}

extension View {
    public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View {
        StubModified()
    }

    public func task<ID: Equatable>(
        id value: ID, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { StubModified() }

    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View { StubModified() }

    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { StubModified() }
}
