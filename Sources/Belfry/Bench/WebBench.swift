/// People's side and phones' side over HTTP.
struct WebBench {
    func run(into report: inout BenchReport) async throws {}
}
