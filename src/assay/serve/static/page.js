// The live page of assay: asks how the run stands, and lets the reader try the model by clicking.
// Everything shown is built from text nodes; the only markup taken over is the server's own report and index.
"use strict";

(() => {
  const POLL = 1000; // milliseconds between two looks at a run
  const SLOW = 5000; // the same when the run has been silent, or the server does not answer
  const $ = (id) => document.getElementById(id);

  // --- building blocks

  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
      else if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }

  /** A sentence; what stands between backquotes is a name quoted as it is. */
  function say(text) {
    return String(text).split("`").map((part, place) => (place % 2 ? el("code", {}, part) : part));
  }

  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const button = (label, action, attributes = {}) =>
    el("button", { type: "button", ...attributes, on: { click: action } }, label);
  const pressed = (on) => ({ "aria-pressed": on ? "true" : "false" });
  const fill = (node, ...children) => node.replaceChildren(...children.flat().filter((child) => child !== null));

  async function request(path, body) {
    const options = body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    };
    let response;
    try {
      response = await fetch(path, { cache: "no-store", credentials: "omit", ...options });
    } catch {
      throw new Error("The server does not answer. Is assay serve still running?");
    }
    if (response.ok) return response;
    let message = `The server answered with ${response.status}.`;
    try { message = (await response.json()).error || message; } catch { /* not JSON: keep the number */ }
    throw new Error(message);
  }
  const getJson = async (path) => (await request(path)).json();
  const postJson = async (path, body) => (await request(path, body)).json();

  // --- the index

  function startIndex() {
    const rows = $("rows");
    let shown = "";
    const going = () => rows.querySelector("[data-going='1']") !== null;
    async function look() {
      if (!document.hidden) {
        try {
          const markup = await (await request("/rows")).text();
          if (markup !== shown) rows.innerHTML = shown = markup;
        } catch { /* tried again */ }
      }
      if (going()) setTimeout(look, 2 * POLL);
    }
    if (going()) setTimeout(look, 2 * POLL);
  }

  // --- how the run stands

  function startStanding() {
    let wasGoing = false;

    async function look() {
      let wait = POLL;
      try {
        const now = await getJson("live");
        show(now);
        if (wasGoing && now.finished) await refreshReport();
        wasGoing = !now.finished;
        document.body.dataset.finished = now.finished ? "1" : "0";
        if (now.finished) return;
        if (!now.outcome.startsWith("Going")) wait = SLOW;
      } catch (error) {
        fill($("standing-line"), error.message);
        wait = SLOW;
      }
      setTimeout(look, wait);
    }

    function show(now) {
      const questions = `${now.questions} ${now.questions === 1 ? "question" : "questions"}`;
      const strength = now.finished ? `, strength ${now.strength}` : "";
      const line = `${now.outcome}: ${questions} asked${strength}.`;
      if ($("standing-line").textContent !== line) fill($("standing-line"), line);
      $("standing-more").hidden = now.finished;
      if (now.finished) return;
      fill($("actions"), now.actions.map((action) => el("li", {},
        ...say(action.name), `: ran ${action.ran} times, refused ${action.refused} times`)));
      fill($("last"), now.last === null ? [] : [
        el("p", {}, el("strong", {}, `Last question, number ${now.last.number}: `), ...say(now.last.answer)),
        el("ul", {}, now.last.steps.map((step) => el("li", {}, ...say(step)))),
      ]);
    }

    async function refreshReport() {
      const markup = await (await request("report")).text();
      const fresh = new DOMParser().parseFromString(`<div>${markup}</div>`, "text/html").body.firstChild;
      $("report").replaceChildren(...fresh.childNodes);
    }

    look();
  }

  // --- report and "Try it" side by side

  function startTabs() {
    const tabs = [$("tab-report"), $("tab-try")];
    let opened = false;

    function choose(tab, focus) {
      for (const other of tabs) {
        const here = other === tab;
        other.setAttribute("aria-selected", here ? "true" : "false");
        other.tabIndex = here ? 0 : -1;
        $(other.dataset.panel).hidden = !here;
      }
      if (focus) tab.focus();
      if (tab === tabs[1] && !opened) {
        opened = true;
        startTrying($("try"));
      }
      history.replaceState(null, "", tab === tabs[1] ? "#try" : location.pathname);
    }

    tabs.forEach((tab, place) => {
      tab.addEventListener("click", () => choose(tab, false));
      tab.addEventListener("keydown", (event) => {
        if (event.key === "ArrowRight" || event.key === "ArrowLeft") choose(tabs[1 - place], true);
      });
      $(tab.dataset.panel).setAttribute("role", "tabpanel");
    });
    document.querySelector(".tabs").hidden = false;
    if (location.hash === "#try") choose(tabs[1], false);
    else tabs[1].tabIndex = -1;
  }

  // --- try it

  async function startTrying(root) {
    fill(root, el("p", {}, "One moment..."));
    let world;
    try {
      world = await getJson("world");
    } catch (error) {
      return fill(root, el("p", { class: "problem" }, error.message));
    }
    const now = { state: [], plan: [], time: 0, about: new Set(), goal: [], editing: false };
    let scene = null;
    let [drawn, asked] = [0, 0]; // requests begun: what a later one has overtaken is not shown

    const start = el("select", { id: "try-start", on: { change: chooseStart } },
      world.offered.map((offer, place) =>
        el("option", { value: place }, `Situation ${place + 1}: ${offer.words.replaceAll("`", "")}`)),
      el("option", { value: "empty" }, "Nothing is true"),
      el("option", { value: "own", hidden: true }, "A start of your own"));
    const edit = button("Change the start by clicking facts", () => {
      now.editing = !now.editing;
      if (now.editing) now.time = 0;
      edit.setAttribute("aria-pressed", now.editing ? "true" : "false");
      draw();
    }, { id: "try-edit", ...pressed(false) });

    const known = world.actions.filter((action) => action.known);
    const action = el("select", { id: "try-action", on: { change: chooseAction } },
      known.map((one) => el("option", { value: one.name }, capital(one.words.replaceAll("`", "")))));
    const parameters = el("div", { id: "try-parameters", class: "row" });
    const plan = el("ol", { id: "try-plan" });
    const possible = el("div", { id: "try-possible", class: "chips" });
    const moments = el("div", { id: "try-moments", class: "chips", role: "group", "aria-label": "Moment" });
    const objects = el("div", { id: "try-objects", class: "chips", role: "group", "aria-label": "Only facts about" });
    const hint = el("p", { id: "try-hint", class: "hint" });
    const holding = el("ul", { id: "try-true", class: "facts" });
    const missing = el("ul", { id: "try-false", class: "facts" });
    const more = el("p", { class: "hint" });
    const goal = el("div", { id: "try-goal" });
    const answer = el("div", { id: "try-answer", "aria-live": "polite" },
      el("p", { class: "hint" }, "Click a fact and the answer appears here."));

    fill(root,
      el("h2", {}, "Try it"),
      el("p", {}, "Choose where to start, put a plan together, and click a fact to ask why it is so or why not. ",
        "The answers come from the model as it is known now, not from the agent."),
      el("div", { class: "try" },
        el("div", { class: "column" },
          el("section", { class: "card", "aria-labelledby": "try-1" }, el("h3", { id: "try-1" }, "1. Start"),
            el("label", { for: "try-start" }, "Start from"), start, edit),
          el("section", { class: "card", "aria-labelledby": "try-2" }, el("h3", { id: "try-2" }, "2. Plan"), plan,
            known.length ? [
              el("div", { class: "row" },
                el("span", { class: "field" }, el("label", { for: "try-action" }, "Next step"), action)),
              parameters,
              button("Add this step", addStep, { id: "try-add" }),
            ] : el("p", {}, "The agent was not seen to do anything yet."),
            el("h4", {}, "Possible now"), possible)),
        el("div", { class: "column" },
          el("section", { class: "card", "aria-labelledby": "try-3" }, el("h3", { id: "try-3" }, "3. Facts"),
            moments, el("p", { class: "hint" }, "Only facts about:"), objects, hint,
            el("h4", {}, "True"), holding, el("h4", {}, "Not true"), missing, more)),
        el("div", { class: "column" },
          el("section", { class: "card answer", "aria-labelledby": "try-4" },
            el("h3", { id: "try-4", tabindex: "-1" }, "Answer"), answer, goal))));

    fill(objects, world.objects.map((object) =>
      button([object.noun ? `${object.noun} ` : "", el("b", {}, object.name)], (event) => {
        const chosen = !now.about.has(object.name);
        if (chosen) now.about.add(object.name); else now.about.delete(object.name);
        event.currentTarget.setAttribute("aria-pressed", chosen ? "true" : "false");
        draw();
      }, pressed(false))));
    if (known.length) chooseAction();
    chooseStart();

    function chooseStart() {
      if (start.value !== "own") now.state = start.value === "empty" ? [] : [...world.offered[Number(start.value)].atoms];
      draw();
    }

    function chooseAction() {
      const chosen = known.find((one) => one.name === action.value);
      fill(parameters, chosen.parameters.map((parameter, place) =>
        el("span", { class: "field" },
          el("label", { for: `try-p${place}` }, parameter.name === parameter.noun ? parameter.noun : `${parameter.noun} ${parameter.name.toUpperCase()}`),
          el("select", { id: `try-p${place}` }, parameter.objects.map((name) => el("option", {}, name))))));
    }

    function addStep() {
      const words = [...parameters.querySelectorAll("select")].map((select) => select.value);
      if (words.includes("")) return failed(new Error("There is no object that fits here."));
      const chosen = known.find((one) => one.name === action.value);
      if (!chosen.repeats && new Set(words).size < words.length) {
        return failed(new Error("The model speaks of different things only: choose each object once."));
      }
      return extend([action.value, ...words].join(" "));
    }

    async function extend(step) {
      const before = [now.plan, now.time];
      now.plan = [...now.plan, step];
      now.time = now.plan.length;
      now.editing = false;
      if (!await draw()) [now.plan, now.time] = before;
    }

    function failed(error) {
      fill(answer, el("p", { class: "problem" }, ...say(error.message)));
      show();
    }

    /** On a phone the answer is below what was clicked. */
    function show() {
      const box = answer.closest(".card").getBoundingClientRect();
      if (box.top > window.innerHeight - 120 || box.bottom < 120) $("try-4").scrollIntoView({ block: "start" });
    }

    async function draw() {
      const turn = ++drawn;
      let found;
      try {
        found = await postJson("scene", {
          state: now.state, plan: now.plan, about: [...now.about], time: Math.min(now.time, now.plan.length),
        });
      } catch (error) {
        failed(error);
        return false;
      }
      if (turn !== drawn) return true;
      scene = found;
      now.time = scene.time;
      fill(plan, scene.plan.map((step, place) => el("li", { class: step.ran ? "" : "refused" },
        el("span", {}, ...say(step.words)), " ",
        step.refused ? el("em", {}, "cannot be done here ") : step.ran ? null : el("em", {}, "not reached "),
        step.refused ? button("Why not?", () => whyNotStep(place), { class: "small" }) : null,
        button("Remove", () => { now.plan.splice(place, 1); draw(); },
          { class: "small", "aria-label": `Remove step ${place + 1}` }))));
      if (!scene.plan.length) fill(plan, el("li", { class: "hint" }, "No steps yet."));
      fill(possible, scene.possible.map((step) =>
        button(say(step.words), () => extend(step.text), { "data-step": step.text })));
      if (!scene.possible.length) fill(possible, el("p", { class: "hint" }, "Nothing that is known."));
      else if (scene.possible_more) possible.append(el("p", { class: "hint" }, "and more"));
      fill(moments, Array.from({ length: scene.ran + 1 }, (_, time) =>
        button(time ? `After step ${time}` : "At the start", () => { now.time = time; draw(); },
          pressed(time === scene.time))));
      now.editing = now.editing && scene.time === 0;
      edit.setAttribute("aria-pressed", now.editing ? "true" : "false");
      fill(hint, now.editing ? "Click a fact to change it." :
        "Click a true fact to ask why, any other to ask why not.");
      const list = (holds) => scene.facts.filter((fact) => fact.holds === holds).map((fact) =>
        el("li", {}, button([...say(capital(fact.words)), fact.changed ? el("span", { class: "new" }, " new") : null],
          () => (now.editing ? toggle(fact) : whyOrWhyNot(fact)), { "data-atom": fact.atom })));
      fill(holding, list(true));
      fill(missing, list(false));
      fill(more, scene.more ? `${scene.more} more facts are not listed: choose objects above to see theirs.` : "");
      drawGoal();
      return true;
    }

    function toggle(fact) {
      now.state = fact.holds ? now.state.filter((atom) => atom !== fact.atom) : [...now.state, fact.atom];
      start.querySelector("[value=own]").hidden = false;
      start.value = "own";
      draw();
    }

    async function put(verb, extra, buttons = []) {
      const turn = ++asked;
      fill(answer, el("p", { class: "hint" }, "Thinking..."));
      try {
        const found = await postJson(verb, { state: now.state, plan: now.plan, ...extra });
        if (turn !== asked) return;
        fill(answer, ...told(found), el("div", { class: "chips" }, buttons));
        answer.dataset.verb = verb;
        show();
      } catch (error) {
        failed(error);
      }
    }

    function told(found) {
      const parts = found.blocks.map((block, place) => block.items
        ? el("ul", {}, block.items.map((item) => el("li", {}, ...say(item))))
        : el("p", { class: place ? "" : "said" }, ...say(block.text)));
      if (found.rows.length) {
        const titles = ["What happened", "What would have happened"];
        parts.push(el("table", { class: "compare" },
          el("thead", {}, el("tr", {}, ["When", ...titles].map((title) => el("th", { scope: "col" }, title)))),
          el("tbody", {}, found.rows.map((row) => el("tr", {},
            el("th", { scope: "row" }, row.when),
            el("td", { "data-label": titles[0] }, ...say(row.happened)),
            el("td", { "data-label": titles[1] }, ...say(row.would_have)))))));
      }
      if (found.plan.length) {
        parts.push(el("p", {}, found.note),
          el("ol", { class: "found" }, found.plan.map((step) => el("li", {}, ...say(step.words)))),
          button("Use this plan", () => {
            now.plan = [...now.plan.slice(0, found.from), ...found.plan.map((step) => step.text)];
            now.time = now.plan.length;
            draw();
          }, { id: "try-use-plan" }));
      }
      return parts;
    }

    function whyOrWhyNot(fact) {
      const [time, opposite] = [now.time, !fact.holds];
      const goalText = (opposite ? "" : "-") + fact.atom;
      put(fact.holds ? "why" : "why-not", { fact: fact.atom, time }, [
        button(opposite ? "What if it had been so?" : "What if it had not been so?",
          () => put("what-if", { fact: fact.atom, time, value: opposite }), { id: "try-what-if" }),
        button(opposite ? "Can it come to be so?" : "Can it come to be otherwise?",
          () => put("ask", { goal: [goalText], time }), { id: "try-ask" }),
        button("Add to the goal", () => {
          if (!now.goal.some((one) => one.text === goalText)) now.goal.push({ text: goalText, words: fact.opposite });
          drawGoal();
        }, { id: "try-add-goal" }),
      ]);
    }

    function whyNotStep(place) {
      put("why-not", { plan: now.plan.slice(0, place + 1), time: place });
    }

    function drawGoal() {
      if (!now.goal.length) return fill(goal);
      fill(goal, el("h4", {}, "Goal"), el("ul", {}, now.goal.map((one, place) => el("li", {}, ...say(capital(one.words)), " ",
        button("Remove", () => { now.goal.splice(place, 1); drawGoal(); },
          { class: "small", "aria-label": `Remove goal ${place + 1}` })))),
      button("Can all of this be reached?", () => put("ask", { goal: now.goal.map((one) => one.text), time: now.time }),
        { id: "try-ask-goal" }));
      return undefined;
    }
  }

  // --- go

  const page = document.querySelector("main")?.dataset.page;
  if (page === "index") startIndex();
  if (page === "folder") {
    startTabs();
    startStanding();
  }
})();
