// 单台设备和单个用户收到的推送的中文文本：推送记录、“为什么”、轮次的设备、应发时间。键与 en.js 相同。

export default {
  history: {
    device: "发给此设备的推送", person: "发给此用户的推送", personText: "包括发送推送时属于此用户的所有设备。",
    none: "还没有发给此设备的推送。", nonePerson: "还没有发给此用户的推送。", end: "没有更早的推送。", further: "目前没有，后面还有更多页。",
    campaign: "活动 {id}", single: "你的服务器发送的单条推送", erasedDevice: "已抹除的设备", onDevice: "发到 {device}",
    at: "{time}", between: "{from} 至 {to} 之间", since: "{time} 起", dated: "{day} {window}（{city} 时间）", deferred: "曾推迟到以后", resent: "已重发",
    answered: "苹果应答 {answer}", then: "当时：{parts}", inLanguage: "{language}", inApp: "App {version}", events: "设备上报",
    event: {
      delivered: "已送达", presented: "在 App 内显示", opened: "已打开", action: "点按了按钮 {action}", dismissed: "已清除", text: "已回复", converted: "已转化",
      influenced: "不久后打开了 App",
    },
    reply: "回复：{text}", erasedReply: "已回复，内容已抹除", conversion: "转化：{name}", value: "值 {value}", implied: "由之后的上报推知",
    ask: "查询某个活动", askHelp: "选择一个活动，查看它为什么发到了或没有发到此设备。", search: "搜索活动", noCampaigns: "还没有活动。", unsent: "尚未发送",
  },
  why: {
    title: "为什么？", about: "{run} · 设备 {device}", of: "为什么？{name}，{time}", report: "打开报告", missing: "此活动尚未发送。", missingText: "发送之后，这里会说明设备为什么收到或没有收到。",
    noDevice: "没有这台设备。它已被抹除，或属于其他 App。",
    verdict: {
      sent: "“{name}”已发往此设备。", "not_sent": "“{name}”没有发往此设备。", pending: "“{name}”还没有发往此设备。", "not_considered": "“{name}”不是发给此设备的。",
      unknown: "无法得知“{name}”是否要发给此设备。", rejected: "发往此设备的“{name}”被苹果拒收。", lost: "“{name}”已发往此设备，但苹果的应答丢失了。",
    },
    rules: "规则，按先后顺序", decided: "由此规则决定。", result: { passed: "通过", failed: "未通过", unknown: "未知" },
    rule: {
      registered_before_start: "注册", token_kind: "令牌类型", token: "令牌", planned: "设备名单", audience: "受众", permission: "通知权限", opt_out: "退订", topic: "主题",
      local_time: "当地时间", quiet_hours: "免打扰时段", frequency_cap: "频次上限", credential: "苹果的密钥", value: "变量值", size: "大小", expiration: "有效期",
      cancellation: "取消", sending: "发送", apple: "苹果", answer: "苹果的应答",
    },
    rejected: "苹果拒收推送：{reason}。",
    conditions: "受众的条件", isMet: "符合", isNotMet: "不符合", all: "以下全部", any: "以下任一", not: "并非以下", today: "按设备今天的值检查。",
    push: "推送", apple: "苹果的应答", accepted: "{status}，已接收", notAsked: "没有发往苹果", window: "时间范围", then: "当时的设备", language: "文字", defaultText: "默认文字", notKnown: "未知",
    payload: "负载", exact: "发出的就是这份负载。", notExact: "按今天的值重新生成，可能与发出的负载不同。", noPayload: "已无法重新生成：缺少某个变量值，或媒体已删除。",
    reported: "设备上报", nothing: "没有任何上报。",
  },
  people: {
    title: "“{name}”的设备", back: "报告", filter: "结果", filters: "筛选", all: "全部", person: "用户", device: "设备", reason: "原因", anyReason: "任何原因",
    erased: "已抹除", nobody: "无用户 ID", resent: "已重发", deferred: "后一批", onlyDeferred: "在后一批发送", empty: "没有符合筛选的设备", showAll: "显示全部设备",
    search: "用户 ID 或安装 ID（完全一致）", notFound: "此次发送没有这台设备", further: "目前没有，后面还有更多页",
    apple: "苹果", locale: "当时的语言", window: "时间范围", opened: "打开", notKnown: "未知", withCount: "{name}（{count}）",
    any: { variant: "任何方案", locale: "任何语言", os_version: "任何 iOS", app_version: "任何 App", told: "任何上报", due_at: "任何应发时间" },
    name: { variant: "A/B 测试的方案", locale: "发送时的语言", os_version: "发送时的 iOS 版本", app_version: "发送时的 App 版本", told: "设备上报", due_at: "应发时间" },
    told: {
      engaged: "有互动", notEngaged: "无互动", true: "已打开", false: "未打开", delivered: "已送达", presented: "在 App 内显示", action: "点按按钮", dismissed: "已清除", text: "已回复", converted: "已转化",
      influenced: "不久后打开了 App",
    },
    export: "导出", matching: { other: "{count} 台设备" }, matchingUnknown: "符合筛选的全部设备",
    deletedTitle: "设备名单已删除", deletedText: "Belfry 已于 {time} 按 App 的保留期限删除名单。轮次的总数仍保留。", toReport: "打开报告",
  },
  dueTimes: {
    title: "应发时间", text: "按应发时间列出设备及其结果。每一行中，目标等于其后各数之和。", due: "应发时间", there: "{city} {time}", more: "更多应发时间",
  },
};
