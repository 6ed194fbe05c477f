/// A range of a compiled content's bytes. Plain numbers, so that nothing is retained while a push is composed.
struct Slice: Equatable {
    let offset: Int32
    let count: Int32
}
