// Runs in every document before its own scripts, and keeps what the tests ask about: window.belfryTest.
{
  const seen = { violations: [], pending: 0, requests: new Set(), shifted: 0, shifts: [], headingAt: null };
  Object.defineProperty(window, "belfryTest", { value: seen });

  document.addEventListener("securitypolicyviolation", (event) => {
    seen.violations.push(
      `${event.violatedDirective} of ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`,
    );
  });

  // Requests on the way. A stream counts until its head is there.
  const { fetch } = window;
  window.fetch = async (...call) => {
    seen.pending += 1;
    const request = { address: String(call[0]?.url ?? call[0]), since: performance.now() };
    seen.requests.add(request);
    try {
      return await fetch(...call);
    } finally {
      // After the page's own work on the answer.
      setTimeout(() => {
        seen.pending -= 1;
        seen.requests.delete(request);
      });
    }
  };

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      seen.shifted += entry.value;
      for (const { node } of entry.sources) seen.shifts.push(node?.outerHTML?.slice(0, 120) ?? String(node));
    }
  }).observe({ type: "layout-shift", buffered: true });

  new MutationObserver((_, observer) => {
    if (!document.querySelector("main h1")) return;
    seen.headingAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}
// Nobody would answer the dialog for a place on the disk; a story that is about it brings its own.
window.showSaveFilePicker = undefined;
