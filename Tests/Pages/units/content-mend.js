const { mended } = await import("/js/content/mend.js");

return {
  "a fix is made in all texts of a payload, and nowhere else": () => {
    const payload = {
      aps: { alert: { title: "{{ a | default: “x” }}", "loc-args": ["{{ a | default: “x” }}!", "“x”"] }, badge: 2 },
      "“x”": null,
    };
    equal(mended(payload, [{ from: "{{ a | default: “x” }}", to: '{{ a | default: "x" }}' }]), {
      aps: { alert: { title: '{{ a | default: "x" }}', "loc-args": ['{{ a | default: "x" }}!', "“x”"] }, badge: 2 },
      "“x”": null,
    });
  },
  "a dollar in a fix stays a dollar": () => equal(mended("{{ “a” }}", [{ from: "{{ “a” }}", to: "$& $1" }]), "$& $1"),
};
