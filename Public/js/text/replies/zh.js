// 回复收件箱的中文文本，与 en.js 的键相同。

export default {
  repliesPage: {
    search: "搜索回复内容", campaign: "推送活动", anyCampaign: "所有活动", campaignID: "活动 {id}", single: "单独推送",
    period: "时间范围", periods: { any: "任何时间", p1: "今天", p7: "最近 7 天", p30: "最近 30 天", p90: "最近 90 天", pdays: "指定日期" }, from: "第一天", to: "最后一天",
    part: { who: "来自：", campaign: "回复：", button: "按钮：" }, device: "设备", deviceOf: "设备 {ending}", nobody: "已抹除", typed: "（{time} 输入）",
    export: "导出 {format}", erase: "抹除", eraseOf: "抹除回复“{text}”", eraseTitle: "抹除这条回复？", eraseText: "“{text}”：内容将永久移除，统计仍计入这条回复。", eraseNow: "抹除回复", erased: "回复已抹除。",
    nothing: "没有符合筛选的回复", notYet: "目前没有，后面还有更多页", end: "收件箱的这一页是空的",
    empty: "还没有回复", emptyText: "用户不打开 App，就能在通知里输入回答。需要三样：",
    how: { category: "一个类别，其中有带输入框的操作。", campaign: "使用此类别的推送活动或模板。", app: "App 把输入的内容作为 {kind} 事件上报。" }, toCategories: "打开通知类别", toReference: "App 如何上报",
  },
};
