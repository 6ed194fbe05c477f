// 自定义事件的中文文本，与 en.js 的键相同。

export default {
  customEvents: {
    intro: "用户在 App 中的行为，名称由 App 决定。受众可按它选人，测试和对照组按它得出结论。",
    none: "还没有上报过自定义事件", noneText: "由 App 或其服务器上报，API 参考中有示例。",
    name: "名称", properties: "参数", count: "最近 30 天", amount: "数值合计", noProperties: "无",
    description: "说明", descriptionHelp: "供选择事件的人阅读，例如在受众中。",
    series: "最近 30 天的事件", day: "日期", most: "共 {count} 个；最多的是 {day}：{most} 个。", nothing: "最近 30 天没有。",
    conversion_days: "计为转化", noConversion: "否", withinDays: { other: "推送后 {count} 天内" },
    conversionHelp: "报告会显示哪些活动带来了它。此前上报的事件不计入。",
    countsAs: { other: "推送后 {count} 天内计为转化" },
    delete: "删除…", deleteTitle: "删除“{name}”及其事件？", deleteText: "此名称的所有事件及计数都会删除。使用它的受众和目标将找不到任何人。如果 App 再次上报，则重新开始。此操作无法撤销。",
    ledTo: "带来此事件的活动", ledToNone: "还没有。事件上报约五分钟后计入。", campaign: "活动",
  },
  conversion: {
    title: "转化", event: "事件", direct: "直接", influenced: "间接", direct_amount: "金额，直接", influenced_amount: "金额，间接",
    about: "直接：用户打开、点按或回复推送后发生。间接：用户最后收到的是此推送，没有与任何推送互动，之后发生。每个事件只计入一个活动。",
  },
};
