public import JSON

/// Campaigns and their runs.
extension Refusal {
    public static let campaignArchived = Refusal(
        .conflict, "campaign-archived", "The campaign is archived. Take it out of the archive first, or make a copy.")

    /// Scheduled and running campaigns stay in the lists.
    public static func campaignIsActive(_ state: CampaignState) -> Refusal {
        let next: Message =
            state == .scheduled ? "Unschedule it first." : "Cancel it first, or wait until it has finished."
        return Refusal(
            .conflict, "campaign-active", "A campaign that is \(state.rawValue) can't be archived. \(next)")
    }

    /// A campaign that was started is part of the ledger.
    public static func notADraft(_ state: CampaignState) -> Refusal {
        let next: Message =
            state == .scheduled ? "Unschedule it first." : "What was sent stays on record; archive it instead."
        return Refusal(
            .conflict, "not-a-draft",
            "Only a draft can be deleted, and this campaign is \(state.rawValue). \(next)")
    }

    /// A draft that was sent before it was unscheduled or failed.
    public static let hasRuns = Refusal(
        .conflict, "campaign-has-runs",
        "This campaign was sent before, and what was sent stays on record. Archive it instead.")

    public static let variantWasSent = Refusal(
        .conflict, "variant-was-sent", field: "variants",
        "Variants that were sent stay in the campaign, so that their results can be compared. Give the variant the "
            + "weight 0 to send it to nobody.")

    public static let noTest = Refusal(
        .conflict, "not-a-test",
        "This campaign has one content, so there is nothing to compare. Give it `variants` to make an A/B test.")

    public static let goalWasSent = Refusal(
        .conflict, "goal-was-sent", field: "goal",
        "The goal is named before the campaign is sent and stays, because a goal that is chosen by its result proves "
            + "nothing. Duplicate the campaign, and give the copy another goal.")

    public static let controlWasSent = Refusal(
        .conflict, "control-was-sent", field: "control_share",
        "The control group stays once the campaign was sent, because its people are compared with the others from then on. "
            + "Duplicate the campaign, and give the copy another control group.")

    public static let noControl = Refusal(
        .conflict, "no-control-group",
        "This campaign has no control group, so its effect can't be seen. Set `control_share` before it is sent.")

    public static let winnerOfRepeated = Refusal(
        .conflict, "winner-of-repeated", field: "schedule",
        "The campaign tests a part of its audience and sends the winner to the rest, so it is sent once. Choose another "
            + "schedule, or remove `winner`.")

    public static let noRest = Refusal(
        .conflict, "test-without-rest",
        "Nobody waits for a decision: the campaign was not sent yet, or all its recipients are in the test.")

    public static let testDecided = Refusal(
        .conflict, "test-decided", "The decision was taken before, and stays. Reload the page to see it.")

    public static let testNotPlanned = Refusal(
        .conflict, "test-not-planned",
        "The recipients are still being planned, so the rest can't be decided yet. Try again in a minute.")

    /// A second person has to approve the campaign.
    public static func notApproved(_ standing: ApprovalStanding) -> Refusal {
        Refusal(.conflict, "not-approved", standing.reason)
    }

    public static let approvalNotNeeded = Refusal(
        .conflict, "approval-not-needed",
        "This app requires no approval for so many recipients. Schedule or start the campaign.")

    public static let approvalInForce = Refusal(
        .conflict, "approval-in-force",
        "The campaign is approved, or waits for an approval, as it is. Schedule it, or wait for the decision.")

    public static let approvalDecided = Refusal(
        .conflict, "approval-decided",
        "The request was decided, withdrawn or became void meanwhile. Reload the page to see what became of it.")

    public static let approvalChanged = Refusal(
        .conflict, "approval-changed",
        "The campaign is not what the request shows any more: a segment of its audience has changed. Ask for a new request."
    )

    public static let approvalOverdue = Refusal(
        .conflict, "approval-overdue",
        "The time of the campaign has passed, and it is never sent late. Reject the request, or ask for another time.")

    public static let ownApproval = Refusal(
        .forbidden, "own-approval", "Nobody approves a request of their own. Ask another person who may approve.")

    public static func tooManyWeightChanges(_ limit: Int) -> Refusal {
        Refusal(
            .conflict, "too-many-weight-changes", field: "variants",
            "The weights of this campaign were changed \(limit - 1) times. Duplicate it, and go on with the copy.")
    }

    public static let noSchedule = Refusal(
        .invalid, "schedule-missing", field: "schedule", "A scheduled campaign needs a schedule. Set one.")

    public static let schedulePast = Refusal(
        .invalid, "schedule-past", field: "schedule",
        "All times of this schedule are in the past. Set a later one, or start the campaign to send it now.")

    /// Starting a recurring campaign by hand would end its rule.
    public static func isRecurring(_ state: CampaignState) -> Refusal {
        let next: Message = state == .scheduled ? "" : ": schedule it"
        return Refusal(
            .conflict, "campaign-is-recurring",
            "A recurring campaign starts by its schedule\(next). To send it now as "
                + "well, duplicate it, remove the schedule from the copy and start the copy.")
    }

    /// The same for a triggered one.
    public static func isTriggered(_ state: CampaignState) -> Refusal {
        let next: Message = state == .scheduled ? "trigger it." : "schedule it, then trigger it."
        return Refusal(
            .conflict, "campaign-is-triggered",
            "A campaign with a schedule of the kind “triggered” starts by API calls: \(next)")
    }

    public static let valuesNeedTemplate = Refusal(
        .invalid, "incompatible-with-payload", field: "values",
        "The campaign has a payload, which is sent unchanged. Leave out `values`, or give the campaign `content` or a template."
    )

    public static let notTriggered = Refusal(
        .conflict, "not-triggered",
        "Only a scheduled campaign with a schedule of the kind “triggered” can be triggered.")

    public static let schedulePaused = Refusal(
        .conflict, "campaign-paused", "The campaign is paused, so it can't be triggered. Resume it first.")

    public static let nothingToSkip = Refusal(
        .conflict, "nothing-to-skip", "The schedule has no other occurrence that could be skipped.")

    public static let audienceEmpty = Refusal(
        .conflict, "audience-empty", "No device matches the audience, so there is nothing to send.")

    /// The campaign was started and refused at its start, so nothing was sent.
    public static func startRefused(_ reason: Message) -> Refusal {
        Refusal(.conflict, "start-refused", reason)
    }

    /// A forecast is about a start in the future.
    public static func alreadyStarted(_ state: CampaignState) -> Refusal {
        Refusal(
            .conflict, "campaign-already-started",
            "A forecast is for a campaign that has not started, and this one is \(state.rawValue).")
    }

    public static let runFinished = Refusal(
        .conflict, "run-finished", "The run has finished and can't be changed any more.")

    /// `participle` names a transition, as in "can't be paused".
    public static func campaignStarting(_ participle: String) -> Refusal {
        Refusal(
            .conflict, "campaign-starting",
            "The campaign starts in a few seconds and can't be \(participle). Unschedule it first.")
    }

    /// `rest` says what is allowed.
    public static func campaignCannot(_ participle: String, in status: String, _ rest: Message) -> Refusal {
        Refusal(
            .conflict, "transition-not-allowed", "A campaign that is \(status) can't be \(participle). \(rest)")
    }

    public static func runCannot(_ participle: String, in state: String, _ rest: Message) -> Refusal {
        Refusal(.conflict, "transition-not-allowed", "A run that is \(state) can't be \(participle). \(rest)")
    }
}
