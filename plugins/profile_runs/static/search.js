import { el, mountHeader } from "./page.js";

mountHeader("search");
document.getElementById("main").append(el("h1", {}, "Search"));
