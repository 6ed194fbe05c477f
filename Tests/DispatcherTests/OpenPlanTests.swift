import Campaigns
import Store
import Testing

@testable import Dispatcher

struct OpenPlanTests {
    private static func planned(_ devices: Int) -> PlanStore.Step {
        .planned(devicesScanned: devices, recipients: devices)
    }

    @Test func firstStepIsSmallAndFastStepsGrow() {
        var plan = OpenPlan()
        var sizes: [Int] = []
        for _ in 0..<6 {
            sizes.append(plan.size)
            plan.took(.milliseconds(10), Self.planned(plan.size))
        }
        #expect(sizes == [2_000, 4_000, 8_000, 16_000, 32_000, PlanStore.stepSize])
    }

    @Test func slowStepsShrink() {
        var plan = OpenPlan()
        for _ in 0..<3 { plan.took(.milliseconds(1), Self.planned(plan.size)) }
        plan.took(.milliseconds(60), Self.planned(plan.size))
        #expect(plan.size == 16_000)
        plan.took(.milliseconds(160), Self.planned(plan.size))
        #expect(plan.size == 8_000)
    }
}
