// Texts of the page about the server's processes, in English.

export default {
  status: {
    intro: "The processes of this server and the work of all apps. This page updates by itself.", console: "The same on the console, also when no page can be opened:",
    onlyAdmins: "This page shows all apps, so it is for admins of all apps.", attention: "Needs attention", fine: "All is well: nothing needs attention.",
    since: "Since {time}, {age}", ofApp: "in {app}",
    processes: "Processes", process: "Process", kind: "Kind", version: "Version", started: "Started", stateLabel: "State", batches: "Batches held",
    noProcess: "No process is listed", pid: "Process {pid}", pidOn: "Process {pid} on {host}",
    kinds: { serve: "Server", work: "Worker", demo: "Demo" },
    state: { running: "Running", lost: "Lost", ended: "Ended" }, seen: "seen {age}", ended: "{age}",
    work: "Work", figure: { sending: "Runs being sent", paused: "Runs paused", due: "Batches due", held: "Batches held by workers" },
    oldest: "the oldest for {age}", lapsed: { one: "{count} of them by a worker that is silent", other: "{count} of them by workers that are silent" },
    pausedByPerson: "Paused by a person", begun: "Began {time}",
  },
};
