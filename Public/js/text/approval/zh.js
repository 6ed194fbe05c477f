// 审批的中文文本，与 en.js 的键相同。

export default {
  approval: {
    title: "审批", intro: "这些活动在发送前需要另一人审批。打开即可查看将要发送的确切内容。",
    tab: { waiting: "待审批", decided: "已处理" }, recipients: "设备", devices: { other: "台设备" }, asked: "提交",
    state: { waiting: "待审批", approved: "已通过", rejected: "已驳回", withdrawn: "已撤回", void: "已失效", overdue: "已过期" },
    none: { waiting: "没有待审批的活动", decided: "还没有处理过的申请" },
    noneText: { waiting: "有人在活动的检查步骤提交审批后，会显示在这里。", decided: "通过、驳回和撤回的申请会显示在这里。" },
    needed: "此活动需要另一人审批。审批的就是将要发送的内容：之后的任何修改都会使审批失效。",
    commentFor: "给审批人的说明", commentHelp: "例如此活动的目的，或你修改了什么。",
    request: { other: "提交审批（{devices} 台设备）" },
    requested: "已提交审批。", mayNotRequest: "你的角色不能编辑活动，因此不能提交审批。",
    asks: "{name} 申请审批以下内容（{time}）。", youAsked: "你已申请审批以下内容（{time}）。",
    comment: "说明", approve: { other: "通过（{devices} 台设备）" }, reject: "驳回",
    rejectWhy: "请在说明中写明驳回原因。", approvedNow: "已通过。", rejectedNow: "已驳回。", withdrawnNow: "已撤回申请。",
    notOwn: "不能审批自己的申请，请另一位有审批权限的人处理。", waits: "正在等待另一位有审批权限的人处理。",
    withdraw: "撤回申请", overdue: "活动的发送时间已过，Belfry 不会补发。请另选时间，再提交审批。",
    first: "这是此活动的第一次申请，全部内容都是新的。", same: "没有变化。",
    since: "与 {time} 的申请相比，有以下修改：", sinceApproved: "与 {name} 通过的内容（{time}）相比，有以下修改：", sinceRejected: "与 {name} 驳回的内容（{time}）相比，有以下修改：",
    rejected: "{name} 已驳回（{time}）：",
    standing: {
      changed: "已通过的是另一内容：受众中的某个人群之后有修改。",
      grown: "审批后，受众增长超过 10%。",
      expired: "已通过审批，但未在 24 小时内发送。",
      waiting: "正在等待审批。",
    },
  },
};
