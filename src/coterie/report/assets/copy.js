// Copy the command; where the browser does not let us, select it.
const copyButton = byId("copy");

copyButton.addEventListener("click", async () => {
  const command = byId("command");
  try {
    await navigator.clipboard.writeText(command.textContent);
    copyButton.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(command);
    copyButton.textContent = "Selected";
  }
  setTimeout(() => { copyButton.textContent = "Copy"; }, 2000);
});
