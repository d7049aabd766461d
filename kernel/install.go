package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// install writes a kernelspec into a Python environment: the folder with a kernel.json is all there is to it.
func install(venv, project string, stock bool) error {
	if _, err := os.Stat(filepath.Join(venv, "bin", "jupyter")); err != nil {
		return fmt.Errorf("no JupyterLab in %s: %w", venv, err)
	}
	bin := func(name string) string { return filepath.Join(project, "bin", name) }
	name, program := "lakelab", bin("lakelab-kernel")
	spec := map[string]any{
		"display_name": "Go (lakelab)", "language": "go", "interrupt_mode": "message",
		"argv": []string{program, "kernel", "--project", project, "{connection_file}"},
	}
	if stock {
		name, program = "gonb", bin("gonb")
		spec["display_name"] = "Go (gonb)"
		spec["argv"] = []string{program, "--kernel", "{connection_file}", "-raw_error=true", "-go_work=" + project}
		spec["env"] = map[string]string{
			"PATH": filepath.Dir(program) + string(os.PathListSeparator) + "${PATH}", "GOPROXY": "off", "GOFLAGS": "", "GOWORK": "",
		}
	}
	text, err := json.MarshalIndent(spec, "", " ")
	if err != nil {
		return err
	}
	dir := filepath.Join(venv, "share", "jupyter", "kernels", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Printf("kernel %q installed in %s\n", spec["display_name"], dir)
	return nil
}
