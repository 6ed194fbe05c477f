/// A program in raw memory: reading an array's elements would retain and release it for every push.
struct LoadedProgram {
    let pool: UnsafeBufferPointer<UInt8>
    let steps: UnsafeBufferPointer<ContentProgram.Step>
    let placeholders: UnsafeBufferPointer<ContentProgram.Placeholder>
    let filters: UnsafeBufferPointer<ContentProgram.Filter>
    let tests: UnsafeBufferPointer<ContentProgram.Test>
    let dateParts: UnsafeBufferPointer<DateFilter.Part>
    let names: UnsafeBufferPointer<Slice>

    init(_ program: ContentProgram) {
        pool = .copy(of: program.pool)
        steps = .copy(of: program.steps)
        placeholders = .copy(of: program.placeholders)
        filters = .copy(of: program.filters)
        tests = .copy(of: program.tests)
        dateParts = .copy(of: program.dateParts)
        names = .copy(of: program.names)
    }

    func deallocate() {
        pool.deallocate()
        steps.deallocate()
        placeholders.deallocate()
        filters.deallocate()
        tests.deallocate()
        dateParts.deallocate()
        names.deallocate()
    }

    @inline(__always)
    func bytes(_ slice: Slice) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pool.baseAddress.map { $0 + Int(slice.offset) }, count: Int(slice.count))
    }
}

extension UnsafeBufferPointer where Element: BitwiseCopyable {
    /// Memory of its own, to be deallocated by its owner.
    static func copy(of elements: [Element]) -> UnsafeBufferPointer {
        let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = copy.initialize(fromContentsOf: elements)
        return UnsafeBufferPointer(copy)
    }
}
