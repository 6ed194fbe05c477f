// Texts of the page about the server's processes, in Chinese.

export default {
  status: {
    intro: "此服务器的进程，以及所有 App 的发送工作。页面会自动更新。", console: "无法打开页面时，也可在控制台查看：",
    onlyAdmins: "此页面显示所有 App，仅供所有 App 的管理员使用。", attention: "需要处理", fine: "一切正常，没有需要处理的事项。",
    since: "自 {time} 起（{age}）", ofApp: "App：{app}",
    processes: "进程", process: "进程", kind: "类型", version: "版本", started: "启动时间", stateLabel: "状态", batches: "持有批次",
    noProcess: "没有进程记录", pid: "进程号 {pid}", pidOn: "{host} 上的进程 {pid}",
    kinds: { serve: "服务器", work: "发送进程", demo: "演示" },
    state: { running: "运行中", lost: "失联", ended: "已结束" }, seen: "{age}报到", ended: "{age}",
    work: "工作", figure: { sending: "发送中的轮次", paused: "已暂停的轮次", due: "到期批次", held: "发送进程持有的批次" },
    oldest: "最早的已等待 {age}", lapsed: { other: "其中 {count} 个由无响应的发送进程持有" },
    pausedByPerson: "由成员暂停", begun: "开始于 {time}",
  },
};
