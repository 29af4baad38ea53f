/** Runs in the page before anything of it: what the transcript's tests want to know of it. */
const FOREIGN =
  ":is(script, iframe, object, embed, link, style, form, base, meta, video, audio, img, math, template)";
const violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`violation: ${event.violatedDirective} ${event.blockedURI}`);
});
const scroller = () => document.querySelector(".transcript");
const items = () => [...document.querySelectorAll(".transcript-item")];

globalThis.lodgeTest = {
  openAll() {
    for (const fold of document.querySelectorAll(".transcript details:not([open]) > summary"))
      fold.click();
  },
  /** What no text may have become. */
  troubles() {
    const wrong = [...violations];
    for (const element of document.querySelectorAll(`.transcript ${FOREIGN}`))
      wrong.push(`element: ${element.localName}`);
    for (const link of document.querySelectorAll(".transcript a")) {
      if (!/^(https?|mailto):$/.test(link.protocol)) wrong.push(`link: ${link.href}`);
      if (link.rel !== "noopener noreferrer") wrong.push(`rel: ${link.rel}`);
    }
    for (const element of document.querySelectorAll(".transcript *"))
      for (const { name } of element.attributes)
        if (name.startsWith("on") || name === "ping" || name === "srcset")
          wrong.push(`attribute: ${name}`);
    return wrong;
  },
  links: (host) => document.querySelectorAll(`.transcript a[href*="${host}"]`).length,
  elements: () => document.querySelectorAll("*").length,
  top: () => scroller()?.scrollTop ?? 0,
  fromEnd() {
    const { scrollHeight, scrollTop, clientHeight } = scroller();
    return scrollHeight - scrollTop - clientHeight;
  },
  /** The first row that is wholly in sight, and where it stands. */
  mark() {
    const from = scroller().getBoundingClientRect().top;
    const item = items().find((candidate) => candidate.getBoundingClientRect().top >= from);
    return { key: item?.dataset.key ?? "", top: item?.getBoundingClientRect().top ?? 0 };
  },
  find: (key) =>
    items()
      .find((item) => item.dataset.key === key)
      ?.getBoundingClientRect().top ?? null,
};
