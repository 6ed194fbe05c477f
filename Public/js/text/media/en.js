// The texts of the media library in English.

export default {
  mediaPage: {
    drop: "Drop files here", dropHelp: "or choose them. Images, videos or audio.", limits: "JPEG, PNG, GIF up to 10 MB · WAV, AIFF, MP3, M4A up to 5 MB · MP4, MPEG, AVI up to 50 MB",
    uploads: "Uploads", waiting: "Waiting for the file before it", sent: "{sent} of {size} sent", checking: "Sent. The server checks it.", stored: "Stored", known: "The library already has this file: “{name}”.",
    progress: "Upload of {name}", stop: "Stop the upload of {name}", dismiss: "Take {name} off this list", dismissDone: "Take stored files off this list",
    tooLarge: {
      image: "The image has {size}. The limit is {limit}: iOS shows no larger images. Make it smaller, then upload it again.", audio: "The audio file has {size}. The limit is {limit}: iOS plays no larger ones. Shorten it, then upload it again.",
      video: "The video has {size}. The limit is {limit}: iOS shows no larger videos. Shorten it, then upload it again.", file: "The file has {size}. The limit is {limit}. Choose a smaller one.",
    },
    link: "Link a file", linkText: "Devices fetch the file from the other server. Belfry looks at its first bytes only, to see whether iOS can show it.", linkMissing: "Enter the address first.", linkSave: "Add the link", linked: "“{name}” is in the library.", linkNameHelp: "Without a name, the library shows the address.",
    name: "Name", address: "Address", addressHelp: "Everyone who knows it can load the file.", copy: "Copy the address", copyOf: "Copy the address of {name}", show: "Details", actions: "Actions of {name}", details: "{name}, details",
    dimensions: "{width} × {height}", broken: "Can't be shown here", external: "On another server", unverified: "Not checked",
    usedBy: { one: "Used in {count} text", other: "Used in {count} texts" }, unused: "Not used", unusedLong: "No campaign shows it, and no template in its newest version.", usesUnknown: "Not known: not all campaigns and templates could be read.", quoted: "“{name}”",
    inUse: { one: "{names} uses this file, so it can't be deleted. What was sent and every version of a template stay readable.", other: "{names} use this file, so it can't be deleted. What was sent and every version of a template stay readable." },
    deleteTitle: "Delete “{name}”?", deleteText: "Devices can't load it any more, even for pushes that were already sent. This can't be undone.", deleteLink: "The library forgets the address. The file on the other server stays.", deleted: "“{name}” is deleted.",
    openFile: "Open the file", pictureOf: "The image {name}",
    fact: { format: "Format", size: "Size", dimensions: "Width × height", added: "Added", storage: "Stored", users: "Used by" }, storage: { own: "On this server", external: "On another server" },
    notHTTPS: "iOS loads files over https only, and these have addresses at {origin}. The person who runs the server sets BELFRY_PUBLIC_URL to an https address.",
    empty: "No media yet", emptyText: "Drop an image above. Then choose it in a campaign or a template: phones show it in the notification.", emptyRead: "Images, audio and videos for campaigns and templates are shown here. Somebody with a role that may change content adds them.", toTemplates: "To the templates",
  },
};
