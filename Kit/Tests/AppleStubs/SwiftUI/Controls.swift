import Foundation

public struct Text: StubView {
    public init(_ content: some StringProtocol) {}
}

public struct Button<Label: View>: StubView {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {}
}

public struct Toggle<Label: View>: StubView {
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) where Label == Text {}
}

public struct TextField<Label: View>: StubView {
    public init(_ title: some StringProtocol, text: Binding<String>) where Label == Text {}
}

public struct Form<Content: View>: StubView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Parent: View, Content: View>: StubView {
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) where Parent == Text {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: StubView {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {}
}
