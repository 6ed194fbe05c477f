// App 设置页专用的中文文本，与 en.js 的键相同。

export default {
  settings: {
    index: "各部分", elsewhere: "在其他页面设置",
    topicsText: "用户可在 App 里退订。带主题的活动不发给退订的人。", campaignsText: "每个活动有自己的拒收阈值、有效期、速率和超时处理。",
    retention: "保留期限", retentionText: "单台设备的记录达到期限后，Belfry 会移除。报告和统计的总数保留。",
    remove: { event_days: "移除旧事件", reply_days: "移除旧回复", recipient_days: "移除旧的接收记录", custom_event_days: "移除旧的自定义事件" },
    removeHelp: {
      event_days: "单台设备上报的内容：送达、打开、点按、清除、转化。关闭：永久保留。", reply_days: "用户输入的文字。关闭：永久保留。",
      recipient_days: "一个轮次发给了哪些设备，每台的结果如何。轮次的总数保留，但不能再查到设备。关闭：永久保留。",
      custom_event_days: "App 上报的用户行为。各名称的总数保留。关闭：永久保留。",
    },
    keepFor: { event_days: "事件保留", reply_days: "回复保留", recipient_days: "接收记录保留", custom_event_days: "自定义事件保留" }, days: "天",
    range: {
      event_days: "{least} 到 {most} 天。设备可能在推送后 30 天内上报。", reply_days: "{least} 到 {most} 天。", recipient_days: "{least} 到 {most} 天。频次上限最多回看 90 天。",
      custom_event_days: "{least} 到 {most} 天。受众只统计仍保留的事件。",
    },
    events: { other: "{day}之前的 {count} 个事件" }, replies: { other: "{day}之前的 {count} 条回复" },
    customEvents: { other: "{day}之前的 {count} 个自定义事件" },
    recipients: { other: "{day}之前 {runs}的 {count} 台设备的记录" }, runs: { other: "{count} 个轮次" }, singlePushes: "单独推送",
    wouldRemove: "这会移除{what}。总数保留。", nothing: "目前不会移除任何记录。",
    removeTitle: "永久移除这些记录？", removeText: "保存后，Belfry 会移除{what}，无法找回。总数保留。", removeNow: "保存并移除", removeTyped: "输入 {name} 以移除。",
  },
};
