import HTTPTypes
import JSON
import Testing

@Suite struct VirtualPhoneRoutesTests {
    @Test func onlyTheDemoHasVirtualPhones() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/virtual-phones"

            let answer = try await api.send(.post, path, ["key": "bfp_x"])

            #expect(answer.status == 409)
            #expect(answer.code == "no-virtual-phones")
            #expect(try await api.send(.post, "/v1/apps/99/virtual-phones", ["key": "bfp_x"]).code == "app-not-found")
        }
    }
}
