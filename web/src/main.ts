import "./style.css";

const app = document.getElementById("app");
if (app) app.textContent = "This page has no data in it.";
