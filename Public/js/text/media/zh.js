// 媒体库的中文文本，与 en.js 的键相同。

export default {
  mediaPage: {
    drop: "把文件拖到这里", dropHelp: "或点按此处选择图片、视频或音频。", limits: "JPEG、PNG、GIF 最大 10 MB · WAV、AIFF、MP3、M4A 最大 5 MB · MP4、MPEG、AVI 最大 50 MB",
    uploads: "上传", waiting: "等待前一个文件", sent: "已发送 {sent}，共 {size}", checking: "已发送，服务器正在检查。", stored: "已保存", known: "媒体库已有此文件：“{name}”。",
    progress: "{name} 的上传进度", stop: "停止上传 {name}", dismiss: "从列表移除 {name}", dismissDone: "移除已保存的条目",
    tooLarge: {
      image: "图片为 {size}，最大 {limit}：iOS 不显示更大的图片。请缩小后再上传。", audio: "音频为 {size}，最大 {limit}：iOS 不播放更大的音频。请剪短后再上传。",
      video: "视频为 {size}，最大 {limit}：iOS 不显示更大的视频。请剪短后再上传。", file: "文件为 {size}，最大 {limit}。请选择小一些的文件。",
    },
    link: "链接文件", linkText: "设备从另一台服务器取文件。Belfry 只看开头几个字节，判断 iOS 能否显示。", linkMissing: "请先填写地址。", linkSave: "添加链接", linked: "“{name}”已加入媒体库。", linkNameHelp: "留空则显示地址。",
    name: "名称", address: "地址", addressHelp: "知道地址的人都能加载此文件。", copy: "复制地址", copyOf: "复制 {name} 的地址", show: "详情", actions: "{name} 的操作", details: "{name}，详情",
    dimensions: "{width} × {height}", broken: "此处无法显示", external: "在其他服务器", unverified: "未检查",
    usedBy: { other: "{count} 处文本在使用" }, unused: "未使用", unusedLong: "没有活动或模板的最新版本用到它。", usesUnknown: "未知：没能读取全部活动和模板。", quoted: "“{name}”",
    inUse: { other: "{names}在使用此文件，因此不能删除。发送过的内容和模板的每个版本都会保留。" },
    deleteTitle: "删除“{name}”？", deleteText: "设备不能再加载它，已发出的推送里也不行。此操作无法撤销。", deleteLink: "媒体库不再记录这个地址。另一台服务器上的文件保留。", deleted: "已删除“{name}”。",
    openFile: "打开文件", pictureOf: "图片 {name}",
    fact: { format: "格式", size: "大小", dimensions: "宽 × 高", added: "添加时间", storage: "存放", users: "使用者" }, storage: { own: "在本服务器", external: "在其他服务器" },
    notHTTPS: "iOS 只通过 https 加载文件，而这些文件的地址在 {origin}。请让服务器的管理者把 BELFRY_PUBLIC_URL 设为 https 地址。",
    empty: "还没有媒体", emptyText: "把图片拖到上方，再在活动或模板里选择它：手机会在通知里显示。", emptyRead: "活动和模板用的图片、视频和音频显示在这里。由可更改内容的成员添加。", toTemplates: "打开模板",
  },
};
