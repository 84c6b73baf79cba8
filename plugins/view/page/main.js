// The view: a header, a navigation with a summary of each section, and the sections.

/** @typedef {{ is_error: boolean, structured: Json }} Outcome The answer of a tool; of an error, `structured.error` says why. */
/** @typedef {{ tool: string, arguments?: Json, by_repository?: boolean, list?: string }} ToolCall */
/** @typedef {{ repository: string, number: string, calls: ToolCall[] }} ToolCalls */

class View {
  /** @param {HTMLElement} root @param {ToolCalls} calls */
  constructor(root, calls) {
    this.calls = calls;
    this.pr = "";
    /** @type {Map<string, Outcome>} */
    this.outcomes = new Map();
    /** @type {Set<string>} */
    this.loading = new Set();
    /** @type {((tool: string, cursor: string) => void) | null} */
    this.loadMore = null;
    this.heading = create("div");
    this.actions = create("div", { class: "actions" });
    this.summaries = create("ul");
    /** @type {Map<string, HTMLElement>} */
    this.bodies = new Map();
    root.append(create("header", {}, this.heading, this.actions), create("nav", { "aria-label": "Summary" }, this.summaries));
    for (const section of SECTIONS) {
      const body = create("div");
      const heading = create("h2", { id: section.tool, tabindex: -1 }, section.title);
      this.bodies.set(section.tool, body);
      root.append(create("section", { "aria-labelledby": section.tool }, heading, body));
    }
  }

  /** @param {string} tool @param {Outcome} outcome */
  set(tool, outcome) {
    this.loading.delete(tool);
    this.outcomes.set(tool, outcome);
    this.render();
  }

  render() {
    this.renderHeading();
    this.summaries.replaceChildren();
    for (const section of SECTIONS) this.renderSection(section);
    const left = this.loading.size;
    const status = /** @type {HTMLElement} */ (document.getElementById("status"));
    status.textContent = left ? `Loading ${formatCount(left, "section")}` : "All sections are loaded";
  }

  renderHeading() {
    const rows = listOf(this.answerOf("pr_list")?.pull_requests);
    const row = rows.find((one) => one.number === this.number) ?? {};
    const metadata = this.answerOf("get_review_suggestions")?.metadata ?? {};
    const title = row.title ?? metadata.title ?? this.pr;
    const author = row.author ?? metadata.author;
    document.title = `${title} · ${this.pr}`;
    this.heading.replaceChildren(
      create("h1", {}, quote(title)),
      create("p", { class: "quiet" }, createLink(row.url, quote(this.pr)), author && [" by ", quote(author)], row.draft && " · draft"),
    );
  }

  /** @param {Section} section */
  renderSection(section) {
    const { summary, mark, content } = this.renderOutcome(section);
    const body = /** @type {HTMLElement} */ (this.bodies.get(section.tool));
    body.replaceChildren();
    append(body, content);
    const link = create("a", { href: `#${section.tool}` }, create("b", {}, section.title), create("span", { class: `mark ${mark}` }, summary));
    link.addEventListener("click", (event) => {
      event.preventDefault(); // in a frame without an address of its own, the link would load another page
      const heading = /** @type {HTMLElement} */ (document.getElementById(section.tool));
      heading.scrollIntoView();
      heading.focus();
    });
    this.summaries.append(create("li", {}, link));
  }

  /** @param {Section} section @returns {Rendered} */
  renderOutcome(section) {
    const outcome = this.outcomes.get(section.tool);
    if (!outcome) {
      const text = this.loading.has(section.tool) ? "Loading …" : "Not loaded.";
      return { summary: text, mark: "quiet", content: [create("p", { class: "quiet" }, text)] };
    }
    const answer = outcome.structured;
    if (outcome.is_error) {
      const remedy = answer.suggestion && create("p", {}, quote(answer.suggestion));
      return { summary: "not available", mark: "open", content: [create("p", { class: "open" }, quote(answer.error)), remedy] };
    }
    const rendered = section.render(answer, this.number);
    return { ...rendered, content: [...rendered.content, renderUnknown(answer), this.renderRest(section.tool, answer)] };
  }

  /** @param {string} tool @param {Json} answer @returns {Child} */
  renderRest(tool, answer) {
    if (!answer.nextCursor) return null;
    if (!this.loadMore) return create("p", { class: "quiet" }, "There is more than is shown here.");
    const button = create("button", { type: "button" }, "Load more");
    button.addEventListener("click", () => this.loadMore?.(tool, answer.nextCursor));
    return button;
  }

  /** @param {string} tool @returns {Json | undefined} */
  answerOf(tool) {
    const outcome = this.outcomes.get(tool);
    return outcome && !outcome.is_error ? outcome.structured : undefined;
  }

  get number() {
    return Number(this.pr.match(new RegExp(this.calls.number))?.[1]);
  }

  /** Return the arguments of a call; null if the pull request's name does not say its repository. @param {ToolCall} call */
  argumentsOf(call) {
    if (!call.by_repository) return { pr: this.pr, ...call.arguments };
    const repository = this.pr.match(new RegExp(this.calls.repository))?.[1];
    return repository ? { repository, ...call.arguments } : null;
  }
}

/** @param {Json} answer */
function renderUnknown(answer) {
  const rows = listOf(answer.unknown);
  if (!rows.length) return null;
  const items = rows.map((row) => create("li", {}, create("code", {}, quote(row.field)), ": ", quote(row.reason), row.remedy && [" ", quote(row.remedy)]));
  return create("details", {}, create("summary", {}, `${rows.length} unknown`), create("ul", {}, items));
}

/** Show a page that holds the answers. @param {View} view @param {Json} data */
function showAnswers(view, data) {
  view.pr = String(data.pr);
  for (const [tool, outcome] of Object.entries(data.answers)) view.outcomes.set(tool, outcome);
  view.render();
  view.actions.append(create("p", { class: "quiet" }, `Read ${formatTime(data.made)}`));
  if (!data.can_reload) return;
  const button = create("button", { type: "button" }, "Read again");
  button.addEventListener("click", () => location.reload());
  view.actions.append(button);
}

/** Show what the host of an MCP App sends, and call the other tools. @param {View} view */
async function connectHost(view) {
  let canCall = false;
  let tool = "";
  /** @param {Json | undefined} context */
  const applyContext = (context) => {
    if (context?.theme === "light" || context?.theme === "dark") document.documentElement.style.colorScheme = context.theme;
    for (const [name, value] of Object.entries(context?.styles?.variables ?? {})) {
      if (name.startsWith("--")) document.documentElement.style.setProperty(name, String(value));
    }
  };
  const host = new Host({
    "ui/notifications/tool-input": (params) => {
      view.pr = String(params.arguments?.pr ?? view.pr);
    },
    "ui/notifications/tool-result": (params) => {
      view.pr ||= String(params.structuredContent?.pr ?? "");
      if (tool && params.structuredContent) view.set(tool, toOutcome(params));
      if (canCall) void loadMissing();
    },
    "ui/notifications/tool-cancelled": () => view.set(tool, failOutcome("The call was cancelled.")),
    "ui/notifications/host-context-changed": applyContext,
  });

  /** @param {ToolCall} call @param {string} [cursor] */
  const load = async (call, cursor) => {
    const args = view.argumentsOf(call);
    if (!args) return view.set(call.tool, failOutcome("The repository cannot be told from the pull request's name."));
    try {
      const result = await host.request("tools/call", { name: call.tool, arguments: cursor ? { ...args, cursor } : args });
      return view.set(call.tool, joinPages(view.outcomes.get(call.tool), toOutcome(result), cursor ? call.list : undefined));
    } catch (error) {
      return view.set(call.tool, failOutcome(error instanceof Error ? error.message : String(error)));
    }
  };
  /** @param {ToolCall[]} calls */
  const loadAll = async (calls) => {
    for (const call of calls) view.loading.add(call.tool);
    view.render();
    await Promise.all(calls.map((call) => load(call)));
  };
  const loadMissing = () => loadAll(view.calls.calls.filter((call) => !view.outcomes.has(call.tool)));

  const greeting = await host.request("ui/initialize", {
    appInfo: { name: "stithy-view", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: PROTOCOL,
  });
  canCall = Boolean(greeting.hostCapabilities?.serverTools);
  tool = greeting.hostContext?.toolInfo?.tool?.name ?? "";
  applyContext(greeting.hostContext);
  host.notify("ui/notifications/initialized", {});
  new ResizeObserver(() => {
    const { scrollWidth, offsetHeight } = document.documentElement;
    host.notify("ui/notifications/size-changed", { width: scrollWidth, height: offsetHeight });
  }).observe(document.documentElement);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[target]") : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault(); // a sandboxed frame opens no windows
    host.request("ui/open-link", { url: link.href }).catch(() => {});
  });
  if (!canCall) return;
  view.loadMore = (name, cursor) => void load(/** @type {ToolCall} */ (view.calls.calls.find((call) => call.tool === name)), cursor);
  const button = create("button", { type: "button" }, "Read again");
  button.addEventListener("click", () => {
    if (view.pr && !view.loading.size) void loadAll(view.calls.calls);
  });
  view.actions.append(button);
}

/** @param {Json} result The result of `tools/call`. @returns {Outcome} */
function toOutcome(result) {
  if (result.structuredContent) return { is_error: Boolean(result.isError), structured: result.structuredContent };
  return failOutcome("The host passed on the text of the answer alone.");
}

/** @param {string} error @returns {Outcome} */
function failOutcome(error) {
  return { is_error: true, structured: { error } };
}

/** @param {Outcome | undefined} before @param {Outcome} next @param {string | undefined} list */
function joinPages(before, next, list) {
  if (!before || !list || next.is_error) return next;
  const rows = [...listOf(before.structured[list]), ...listOf(next.structured[list])];
  return { is_error: false, structured: { ...next.structured, [list]: rows } };
}

/** @param {ToolCalls} calls */
function showView(calls) {
  const data = JSON.parse(document.getElementById("data")?.textContent || "{}");
  const view = new View(/** @type {HTMLElement} */ (document.getElementById("view")), calls);
  if (data.answers) return showAnswers(view, data);
  view.heading.append(create("h1", {}, "No pull request yet"), create("p", { class: "quiet" }, "The host shows one when a tool is called."));
  return window.parent === window ? undefined : void connectHost(view);
}
