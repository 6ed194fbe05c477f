// 页面的全部中文文本，与 en.js 的键相同。

export default {
  action: {
    retry: "重试", reload: "重新加载", home: "首页", back: "返回", undo: "撤销", close: "关闭", copy: "复制", copied: "已复制。",
    save: "保存", create: "创建", edit: "编辑", delete: "删除", duplicate: "复制一份", archive: "归档", unarchive: "取消归档",
    cancel: "取消", next: "下一步", add: "添加", remove: "移除", rename: "重命名", more: "更多操作",
  },
  state: {
    loading: "加载中", stale: "加载失败。这是 {time} 的数据。", offline: "已离线，更改保存在此浏览器中。",
    of: {
      draft: "草稿", scheduled: "已排定", sending: "发送中", waiting: "等待中", paused: "已暂停", sent: "已发送", cancelled: "已取消", failed: "失败",
      finished: "已结束", planning: "规划中",
    },
  },
  error: {
    status: "服务器返回状态 {status}。", unreachable: "无法连接服务器。",
    cut: "连接在应答完成前中断。", module: "页面的一部分无法加载。",
    noApp: "没有这个应用", noAppText: "它已被删除，或你无权查看。请管理员给你一个角色。",
    missing: "此地址没有内容", missingText: "它已被删除，或地址有误。",
  },
  field: { optional: "（可选）" },
  shell: {
    skip: "跳到页面内容", switchApp: "切换应用", newApp: "新建应用", noApp: "没有应用", light: "浅色", dark: "深色", auto: "跟随设备",
    glossary: "术语表", keys: "快捷键", signOut: "退出登录",
  },
  nav: {
    label: "页面", setup: "设置", open: "打开页面列表", dashboard: "概览", campaigns: "推送活动", templates: "模板", segments: "人群",
    devices: "设备", categories: "通知类别", topics: "主题", localPlans: "本地计划", app: "应用",
  },
  keys: {
    title: "快捷键", search: "搜索", move: "在列表中移动", open: "打开", create: "新建", help: "显示此列表", save: "立即保存", next: "下一步",
    steps: "转到某一步", switch: "启用单键快捷键",
  },
  destination: {
    simulator: { name: "模拟器", text: "模拟器：真机收不到。" },
    apple: { name: "苹果", text: "苹果：真机会收到。" },
  },
  signIn: {
    title: "登录", submit: "登录", email: "邮箱地址", password: "密码", name: "你的姓名", show: "显示密码",
    welcome: "欢迎使用 Belfry", welcomeText: "创建第一位管理员，之后由他添加其他人。", createAdmin: "创建管理员",
    choose: "设置密码", chooseText: "如已有密码，将被替换。", newPassword: "新密码", saveAndEnter: "保存并登录",
    hint: "至少 10 个字符，用几个词更好。",
  },
  list: {
    pages: "列表翻页", newer: "较新", older: "较早", first: "这是第一页。", last: "这是最后一页。", selectAll: "全选",
    select: "选择 {name}", nothing: "没有匹配“{text}”的结果。", clear: "清除搜索",
    selected: { other: "已选 {count} 项" },
  },
  term: {
    targeted: { name: "目标", text: "活动考虑过的每一台设备。" },
    accepted: { name: "苹果已接收", text: "苹果已接收推送，但还未必显示：手机可能关机。" },
    delivered: { name: "已送达", text: "手机报告已收到推送。只统计会上报的 App。" },
    opened: { name: "已打开", text: "手机报告有人打开了推送。" },
    rejected: { name: "苹果拒收", text: "苹果拒绝了推送并说明了原因。" },
    suppressed: { name: "按规则未发", text: "某条规则拦下了推送，例如免打扰时段或缺少数值。" },
    expired: { name: "已过期", text: "在有效期内未能发出。" },
    cancelled: { name: "已取消", text: "推送发出前活动已取消。" },
    unknown: { name: "结果未知", text: "已发出，应答丢失，可能已到。" },
    pending: { name: "待发送", text: "尚未发送。" },
    verified: { name: "已核对", text: "结束时账目已重新清点，数目相符。" },
    campaign: { name: "推送活动", text: "发给许多设备的一条消息，含受众和时间安排。" },
    run: { name: "轮次", text: "活动的一次发送。重复活动有多个轮次。" },
    audience: { name: "受众", text: "活动要发给的设备。" },
    segment: { name: "人群", text: "保存下来的受众，多个活动可共用。" },
    ledger: { name: "账目", text: "一个轮次的账：每台目标设备的结果。" },
    quietHours: { name: "免打扰时段", text: "夜间时段，推送会等待或不发。" },
    frequencyCap: { name: "频次上限", text: "一台设备在若干天内最多收到的活动推送数。" },
    brake: { name: "自动暂停", text: "苹果拒收过多时，活动自动暂停。" },
  },
  glossary: { title: "术语表" },
};
