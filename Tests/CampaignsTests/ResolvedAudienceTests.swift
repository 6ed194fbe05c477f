import Campaigns
import JSON
import Notifications
import Testing

@Suite struct ResolvedAudienceTests {
    private static func id(_ number: Int64) -> Segment.ID { Segment.ID(rawValue: number) }
    private static func uses(_ number: Int64) -> Audience { Audience(include: .segment(id(number))) }

    private static func problems(_ audience: Audience, _ segments: [Segment.ID: Audience]) -> [String] {
        do throws(Problems) {
            _ = try ResolvedAudience(audience, segments: segments)
            return []
        } catch {
            return error.problems.map { "\($0.path): \($0.code)" }
        }
    }

    @Test func segmentsAreReplacedByTheirConditions() throws {
        let audience = Audience(include: .all([.tag("a"), .segment(Self.id(1))]), exclude: .segment(Self.id(2)))
        let segments = [
            Self.id(1): Audience(include: .segment(Self.id(2)), exclude: .tag("b")),
            Self.id(2): Audience(exclude: .tag("c")),
        ]
        let resolved = try ResolvedAudience(audience, segments: segments)
        #expect(
            resolved.audience
                == Audience(
                    include: .all([.tag("a"), .all([.not(.tag("c")), .not(.tag("b"))])]), exclude: .not(.tag("c"))))
        #expect(try ResolvedAudience(json: resolved.json) == resolved)
        #expect(throws: Problems.self) { try ResolvedAudience(json: audience.json) }
    }

    @Test func problemsHaveThePathOfTheReference() throws {
        let chain = Dictionary(uniqueKeysWithValues: (1..<5).map { (Self.id($0), Self.uses($0 + 1)) })
        let tag = Audience(include: .tag("a"))
        #expect(Self.problems(Self.uses(2), chain.merging([Self.id(5): tag]) { $1 }).isEmpty)
        #expect(
            Self.problems(Self.uses(1), chain.merging([Self.id(5): tag]) { $1 })
                == ["include.segment: segments-too-deep"])
        #expect(
            Self.problems(Audience(include: .any([.tag("a"), .segment(Self.id(3))])), chain)
                == ["include.any[1].segment: unknown-segment"])
        // A circle ends too.
        #expect(Self.problems(Self.uses(1), [Self.id(1): Self.uses(1)]) == ["include.segment: segments-too-deep"])
    }

    @Test func nestedSegmentsAreLimited() {
        var segments = [Self.id(4): Audience(include: .all(Array(repeating: .tag("a"), count: 100)))]
        for number in Int64(1)...3 {
            segments[Self.id(number)] = Audience(
                include: .any(Array(repeating: .segment(Self.id(number + 1)), count: 190)))
        }
        #expect(Self.problems(Self.uses(1), segments) == [": too-many-conditions"])
    }

    @Test func graphFindsCyclesAndDepths() {
        let graph = SegmentGraph([(1, 2), (2, 3), (1, 3)].map { (user: Self.id($0.0), used: Self.id($0.1)) })
        #expect(graph.leads(from: Self.id(1), to: Self.id(3)) && !graph.leads(from: Self.id(3), to: Self.id(1)))
        #expect(graph.depth(below: Self.id(1)) == 3 && graph.depth(above: Self.id(3)) == 3)
        #expect(graph.depth(below: Self.id(9)) == 1)
        #expect(graph.problems(saving: Self.id(3), Self.uses(1)).map(\.code) == ["segment-cycle"])
        #expect(graph.problems(saving: Self.id(3), Self.uses(3)).map(\.code) == ["segment-cycle"])
        #expect(graph.problems(saving: nil, Self.uses(1)).isEmpty)
        #expect(graph.problems(saving: Self.id(3), Self.uses(4)).isEmpty)
        let deep = SegmentGraph((1..<4).map { (user: Self.id($0), used: Self.id($0 + 1)) })
        #expect(deep.problems(saving: nil, Self.uses(1)).map(\.code) == ["segments-too-deep"])
        #expect(deep.problems(saving: Self.id(4), Self.uses(9)).map(\.code) == ["segments-too-deep"])
    }
}
