// One section for each tool: a summary for the navigation, and the content. `answer` is the structured answer of the tool.

/** @typedef {{ summary: Child, mark: "good" | "bad" | "open" | "quiet", content: Child[] }} Rendered */
/** @typedef {{ title: string, tool: string, render: (answer: Json, number: number) => Rendered }} Section */

const QUESTIONS = {
  ci_passing: "CI passes",
  approvals_met: "approved",
  no_conflicts: "no conflicts",
  up_to_date: "up to date",
  branch_protection_satisfied: "branch rules met",
  open_for_merge: "open for merge",
  dependencies_closed: "dependencies closed",
  token_may_merge: "you may merge",
};
const OPEN_FILES = 10;
const RISK_WIDTH = 60;
const MOST_RISK = 15;

/** @param {Json} answer @returns {Rendered} */
function renderReadiness(answer) {
  const blockers = listOf(answer.blocking_issues);
  const verdict = answer.pull_state && answer.pull_state !== "open" ? answer.pull_state : answer.verdict;
  const marks = /** @type {Record<string, "good" | "bad" | "open" | "quiet">} */ ({ ready: "good", blocked: "bad", unproven: "open" });
  const mark = marks[verdict] ?? "quiet";
  return {
    summary: verdict === "blocked" ? `blocked by ${blockers.length}` : verdict,
    mark,
    content: [
      create("p", {}, create("strong", { class: mark }, describeVerdict(verdict, blockers.length)), " ", formatTarget(answer)),
      renderRows(blockers.map((row) => [renderActor(row), " ", quote(row.description), " ", create("strong", {}, quote(row.action_required))])),
      renderUnproven(listOf(answer.unproven)),
      renderAnswers(answer.checks ?? {}, answer.verdict),
      listOf(answer.notes).map((note) => create("p", { class: "quiet" }, quote(note))),
    ],
  };
}

/** @param {string} verdict @param {number} blockers */
function describeVerdict(verdict, blockers) {
  if (verdict === "ready") return "Ready to merge.";
  if (verdict === "blocked") return `Blocked by ${formatCount(blockers, "issue")}.`;
  if (verdict === "unproven") return "No blocker found, but not everything could be checked.";
  return `The pull request is ${verdict}: nothing to merge.`;
}

/** @param {Json} answer */
function formatTarget(answer) {
  const commit = String(answer.head_commit ?? "").slice(0, 10);
  return create("span", { class: "quiet" }, "Into ", quote(answer.target_branch), commit && [", checked at ", create("code", {}, commit)]);
}

/** @param {Json} row */
function renderActor(row) {
  const names = listOf(row.who).join(", ");
  return create("span", { class: "who" }, quote(names || row.actor), names ? ` (${row.actor}) must act` : " must act");
}

/** @param {Json[]} rows */
function renderUnproven(rows) {
  if (!rows.length) return null;
  return [
    create("h3", {}, "Not proven"),
    renderRows(rows.map((row) => [renderActor(row), " Unknown whether ", quote(listOf(row.questions).join(", ")), ` (${row.reason}). `, create("strong", {}, quote(row.action_required))])),
  ];
}

/** @param {Json} checks @param {string} verdict */
function renderAnswers(checks, verdict) {
  if (!verdict || !Object.keys(checks).length) return null;
  const rows = Object.entries(QUESTIONS).map(([name, title]) => {
    const [kind, sign, word] = checks[name] === true ? ["good", "✓", "yes"] : checks[name] === false ? ["bad", "✗", "no"] : ["open", "?", "unknown"];
    return create("li", {}, create("span", { class: `mark ${kind}` }, `${sign} ${title}: ${word}`));
  });
  return create("ul", { class: "facts" }, rows);
}

/** @param {Json} answer @returns {Rendered} */
function renderFailures(answer) {
  const failures = listOf(answer.failures);
  const total = answer.total_failures ?? failures.length;
  const known = total ? "bad" : answer.status === "passed" ? "good" : "open";
  return {
    summary: total ? `${total} failed` : String(answer.status ?? "unknown"),
    mark: known,
    content: [
      create("p", {}, quote(answer.instructions?.summary ?? `CI: ${answer.status}`), " ", create("span", { class: "quiet" }, "at ", create("code", {}, String(answer.commit ?? "").slice(0, 10)))),
      answer.note && create("p", { class: "quiet" }, quote(answer.note)),
      groupByFile(failures).map(([file, rows], index) => renderFile(file, rows, index < OPEN_FILES)),
    ],
  };
}

/** @param {Json[]} failures @returns {[string, Json[]][]} */
function groupByFile(failures) {
  /** @type {Map<string, Json[]>} */
  const files = new Map();
  for (const failure of failures) {
    const file = String(failure.file_path ?? "");
    files.set(file, [...(files.get(file) ?? []), failure]);
  }
  return [...files];
}

/** @param {string} file @param {Json[]} rows @param {boolean} open */
function renderFile(file, rows, open) {
  const name = file ? create("code", {}, quote(file)) : "Without a file";
  return create("details", { open }, create("summary", {}, name, ` · ${rows.length} failed`), create("ul", {}, rows.map(renderFailure)));
}

/** @param {Json} row */
function renderFailure(row) {
  const facts = [row.line_number && `line ${row.line_number}`, row.kind, row.allowed_to_fail && "allowed to fail", row.pre_existing === true && "fails on the base branch, too"];
  return create(
    "li",
    {},
    create("strong", {}, createLink(row.log_url, quote(row.test_name))),
    " ",
    create("span", { class: "quiet" }, [...facts, row.check_name].filter(Boolean).join(" · ")),
    create("pre", { class: "text" }, String(row.error_message ?? "")),
    row.rerun && create("p", { class: "quiet" }, "Run again: ", create("code", {}, quote(row.rerun))),
  );
}

/** @param {Json} answer @returns {Rendered} */
function renderThreads(answer) {
  const rows = listOf(answer.comments);
  const total = answer.total_unresolved ?? rows.length;
  return {
    summary: total ? `${total} open` : "none open",
    mark: total ? "open" : "good",
    content: [total ? null : create("p", {}, "Nothing is unresolved."), renderRows(rows.map(renderComment))],
  };
}

/** @param {Json} row @returns {Child[]} */
function renderComment(row) {
  const kinds = /** @type {Record<string, string>} */ ({ review_comment: "thread", review: "review", issue_comment: "comment" });
  const place = row.file_path && create("code", {}, quote(`${row.file_path}${row.line_number ? `:${row.line_number}` : ""}`));
  const state = row.state && ` · ${String(row.state).replace("_", " ")}`;
  return [
    create("strong", {}, quote(row.author)),
    " ",
    create("span", { class: "quiet" }, createLink(row.html_url, `${kinds[row.type] ?? row.type}, ${formatTime(row.created_at)}`), state),
    place && [" ", place],
    create("pre", { class: "text" }, String(row.body ?? "")),
  ];
}

/** @param {Json} answer @returns {Rendered} */
function renderConflicts(answer) {
  const rows = listOf(answer.conflicts);
  const total = answer.total_conflicts ?? rows.length;
  const summaries = { true: total ? formatCount(total, "conflict") : "conflicts", false: "no conflicts", undefined: "unknown" };
  const known = /** @type {"true" | "false" | "undefined"} */ (String(answer.has_conflicts));
  return {
    summary: summaries[known] ?? "unknown",
    mark: answer.has_conflicts === true ? "bad" : answer.has_conflicts === false ? "good" : "open",
    content: [
      create("p", {}, `With `, quote(answer.target_branch), `: ${summaries[known] ?? "unknown"} (by ${answer.found_by}).`),
      rows.map(renderConflict),
      listOf(answer.notes).map((note) => create("p", { class: "quiet" }, quote(note))),
    ],
  };
}

/** @param {Json} row */
function renderConflict(row) {
  const names = listOf(row.paths).join(", ") || row.file_path || "git names no file";
  return create(
    "details",
    {},
    create("summary", {}, create("code", {}, quote(names)), ` · ${row.git_type ?? row.conflict_type}`),
    row.suggested_resolution && create("p", {}, quote(row.suggested_resolution)),
    row.message && create("p", { class: "quiet" }, quote(row.message)),
    renderSide("On the base branch", row.base_content_preview, row.base_touched),
    renderSide("In the pull request", row.head_content_preview, row.head_touched),
  );
}

/** @param {string} title @param {unknown} preview @param {Json | undefined} touched */
function renderSide(title, preview, touched) {
  if (!preview && !touched) return null;
  const last = touched && create("span", { class: "quiet" }, " last changed by ", quote(touched.author), ": ", quote(touched.subject));
  return [create("h3", {}, title, last), preview ? create("pre", { class: "text" }, String(preview)) : null];
}

/** @param {Json} answer @param {number} number @returns {Rendered} */
function renderStack(answer, number) {
  const levels = findLevels(listOf(answer.pull_requests), number);
  if (levels.length < 2) {
    const text = levels.length ? "It stands alone: no open pull request is below or above it." : "It is not among the open pull requests.";
    return { summary: levels.length ? "alone" : "not open", mark: "quiet", content: [create("p", {}, text)] };
  }
  const place = levels.findIndex(({ row }) => row.number === number) + 1;
  const rows = [...levels].reverse().map(({ row }) => [
    createLink(row.url, quote(`#${row.number} ${row.title}`)),
    create("span", { class: "quiet" }, row.number === number ? " (this one) " : " ", "by ", quote(row.author), ", ", quote(row.head), " into ", quote(row.base)),
  ]);
  return {
    summary: `${place} of ${levels.length}`,
    mark: "quiet",
    content: [create("div", { class: "stack" }, drawStack(levels, number)), create("details", {}, create("summary", {}, "As a list"), create("ol", {}, rows.map((row) => create("li", {}, row))))],
  };
}

/** @param {Json} answer @returns {Rendered} */
function renderFiles(answer) {
  const rows = listOf(answer.files).toSorted((a, b) => (b.risk_score ?? 0) - (a.risk_score ?? 0));
  const high = rows.filter((row) => row.risk_level === "high").length;
  return {
    summary: high ? `${high} of high risk` : formatCount(rows.length, "file"),
    mark: high ? "bad" : "quiet",
    content: [
      renderRows(rows.map(renderChangedFile)),
      Object.entries(answer.left_out_files ?? {}).map(([why, files]) => create("p", { class: "quiet" }, quote(`${why}: ${Array.isArray(files) ? files.join(", ") : files}`))),
    ],
  };
}

/** @param {Json} row @returns {Child[]} */
function renderChangedFile(row) {
  const score = Math.min(Number(row.risk_score) || 0, MOST_RISK);
  const bar = create(
    "svg:svg",
    { class: "bar", width: RISK_WIDTH, height: 8, "aria-hidden": "true" },
    create("svg:rect", { width: RISK_WIDTH, height: 8, rx: 4 }),
    create("svg:rect", { width: (score / MOST_RISK) * RISK_WIDTH, height: 8, rx: 4, class: row.risk_level }),
  );
  return [
    bar,
    ` risk ${row.risk_level} `,
    create("code", {}, quote(row.path)),
    create("span", { class: "quiet" }, ` ${row.status}${row.previous_path ? " from " : ""}`, row.previous_path && quote(row.previous_path), ` +${row.additions} −${row.deletions}`),
    listOf(row.focus_points).length ? create("ul", {}, listOf(row.focus_points).map((point) => create("li", {}, quote(point)))) : null,
  ];
}

/** @param {Child[]} rows */
function renderRows(rows) {
  return rows.length ? create("ul", {}, rows.map((row) => create("li", {}, row))) : null;
}

/** @type {Section[]} */
const SECTIONS = [
  { title: "Readiness", tool: "check_merge_readiness", render: renderReadiness },
  { title: "Failing tests", tool: "get_failing_tests", render: renderFailures },
  { title: "Open threads", tool: "find_unresolved_comments", render: renderThreads },
  { title: "Conflicts", tool: "detect_merge_conflicts", render: renderConflicts },
  { title: "Stack", tool: "pr_list", render: renderStack },
  { title: "Files by risk", tool: "get_review_suggestions", render: renderFiles },
];
