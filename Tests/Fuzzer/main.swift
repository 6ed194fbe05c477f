import Foundation
import FuzzTargets

// The program of `make fuzz`, see Scripts/fuzz.
//
//   fuzzer --target=json OPTIONS FOLDER          libFuzzer searches for failures of the target
//   fuzzer unpack FOLDER FILE …                  writes the inputs of corpus files to a folder, as libFuzzer reads them
//   fuzzer pack FOLDER FILE                      writes the inputs in a folder to a corpus file

/// libFuzzer's main loop (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library).
@_silgen_name("LLVMFuzzerRunDriver")
func runLibFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

func unpack(_ files: [String], to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for file in files {
        let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let kind = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
        for (index, input) in try CorpusFile.read(try String(contentsOfFile: file, encoding: .utf8)).enumerated() {
            try Data(input).write(to: URL(fileURLWithPath: "\(folder)/\(kind)-\(name)-\(index)"))
        }
    }
}

func pack(_ folder: String, to file: String) throws {
    let inputs = try FileManager.default.contentsOfDirectory(atPath: folder).map {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")))
    }
    try CorpusFile.written(Set(inputs)).write(toFile: file, atomically: true, encoding: .utf8)
}

let target = CommandLine.arguments.lazy.compactMap { argument in
    argument.split(separator: "=").dropFirst().first.flatMap { FuzzTarget(rawValue: String($0)) }
}.first

switch CommandLine.arguments.dropFirst().first {
case "unpack": try unpack(Array(CommandLine.arguments.dropFirst(3)), to: CommandLine.arguments[2])
case "pack": try pack(CommandLine.arguments[2], to: CommandLine.arguments[3])
default:
    guard target != nil else { fatalError("name a target: --target=\(FuzzTarget.allCases.map(\.rawValue))") }
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(
        runLibFuzzer(&count, &arguments) { start, count in
            do { try target?.check(Array(UnsafeBufferPointer(start: start, count: count))) } catch {
                fatalError("\(error)")
            }
            return 0
        })
}
