"""A reader of Chinese meets the server's refusals in Chinese."""

import uuid

from stories import story


@story("template", "import", "report", "device")
def reads_the_servers_refusals_in_chinese(world):
    browser, workspace = world.browser, world.workspace
    browser.visit(world.server.url, world.cookie, language="zh")
    own = workspace.make("templates", {"name": "Pages 中文", "content": {"payload": {"aps": {"alert": {"title": "Evening", "body": "Bells"}}}}})
    browser.open(world.page(f"/templates/{own}"))
    with browser.expecting("422"):
        browser.fill("标题", "Hi {{ first_name")
        browser.see("{{ 缺少结束的 }}")
    browser.picture("chinese-template")

    file = world.server.folder / f"chinese-{uuid.uuid4().hex[:6]}.csv"
    file.write_text("installation,token,environment\r\nchinese-1,not hexadecimal,production\r\n", encoding="utf-8", newline="")
    browser.open(world.page("/devices/import"))
    browser.give(file)
    browser.see("1 行会被拒绝")
    browser.see("只能含十六进制数字 0 到 9 和 a 到 f")
    browser.picture("chinese-import")

    nobody = workspace.make("campaigns", {
        "name": "Pages 无人", "payload": {"aps": {"alert": "x"}}, "audience": {"include": {"tag": f"nobody-{uuid.uuid4().hex}"}}})
    path = f"{workspace.path}/campaigns/{nobody}"
    browser.open(world.page(f"/campaigns/{nobody}/review"))
    browser.see("没有设备会收到。请更改受众。")
    assert world.api.get(path)["state"] == "draft"

    run = workspace.ids["run"]
    installation = world.api.get(f"{workspace.path}/runs/{run}/deliveries?outcome=accepted&limit=1")["data"][0]["installation"]
    browser.open(world.page(f"/devices/{installation}?why={run}"))
    browser.see("设备在轮次开始前已注册。")
    browser.see("苹果已接收推送。")
