import Testing

@testable import HTTPServer

@Suite struct OutputBufferTests {
    @Test func bytesAreLeftUntilTheyAreTaken() {
        var output = OutputBuffer()
        #expect(output.isEmpty)
        output.bytes += [1, 2, 3, 4]
        output.took(3)
        #expect(output.withUnsafeBytes { Array($0) } == [4])
        output.took(1)
        #expect(output.isEmpty)
        output.clear()
        output.bytes += [5]
        #expect(output.withUnsafeBytes { Array($0) } == [5])
    }

    @Test func memoryIsKeptUpToALimit() {
        var output = OutputBuffer()
        output.bytes += [UInt8](repeating: 0, count: 1_000)
        output.took(1_000)
        output.clear()
        #expect(output.bytes.capacity >= 1_000)
        output.bytes += [UInt8](repeating: 0, count: 4 * OutputBuffer.batchBytes)
        output.discard()
        #expect(output.isEmpty && output.bytes.capacity == 0)
    }
}
