import { render } from "solid-js/web";
import { createHttpClient } from "@lodge/client";
import { App } from "./app.tsx";
import { findBasePath } from "./base-path.ts";
import { makeBrowserEffects } from "./live/browser-effects.ts";
import { allowTemplates } from "./trusted-types.ts";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/controls.css";
import "./ui/surfaces.css";
import "./ui/shell.css";
import "./sessions/sessions.css";
import "./session/session.css";
import "./session/transcript/transcript.css";
import "./session/prompts/prompts.css";

// Before anything is rendered: the first template is made when the first component is.
allowTemplates();

const root = document.querySelector("#lodge");
if (root === null) throw new Error("index.html has no #lodge");

const basePath = findBasePath(import.meta.url);
const effects = makeBrowserEffects();
const http = createHttpClient({ baseUrl: basePath, effects });
render(() => <App basePath={basePath} http={http} effects={effects} />, root);
