// 自定义事件的中文文本，与 en.js 的键相同。

export default {
  customEvents: {
    intro: "用户在 App 中的行为，名称由 App 决定。受众可按它选人，测试和对照组按它得出结论。",
    none: "还没有上报过自定义事件", noneText: "由 App 或其服务器上报，API 参考中有示例。",
    name: "名称", properties: "参数", count: "最近 30 天", amount: "数值合计", noProperties: "无",
    description: "说明", descriptionHelp: "供选择事件的人阅读，例如在受众中。",
    series: "最近 30 天的事件", day: "日期", most: "共 {count} 个；最多的是 {day}：{most} 个。", nothing: "最近 30 天没有。",
  },
};
