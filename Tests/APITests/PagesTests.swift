import Testing

@testable import API

@Suite struct PagesTests {
    @Test(
        arguments: [
            ("/", "/"), ("/a/1/campaigns", "/"), ("/a/1/campaigns/7/content", "/"), ("/sign-in", "/"),
            ("/setup/key", "/"),
            ("/styles", "/"), ("/js/main.js", "/js/main.js"), ("/a", "/a"), ("/v1/nothing", "/v1/nothing"),
            ("/sign-in/x", "/sign-in/x"), ("/abc", "/abc"),
        ])
    func addressesOfPagesAreOneDocument(path: String, file: String) {
        #expect(Pages.file(path) == file)
    }
}
