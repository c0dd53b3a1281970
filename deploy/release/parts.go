// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

func keysOf(files map[string][]byte) iter.Seq[string] { return maps.Keys(files) }

var (
	pomVersion = regexp.MustCompile(`<artifactId>phasewise</artifactId>\s*<version>(.+)</version>`)
	pomTime    = regexp.MustCompile(`(<project\.build\.outputTimestamp>).*(</project\.build\.outputTimestamp>)`)
)

// setVersion writes a version into a copy of the repository, wherever the one of its pom.xml stands, and the time of the commit as that of the jars.
func setVersion(root, version string, at time.Time) error {
	pom, err := os.ReadFile(filepath.Join(root, "pom.xml"))
	if err != nil {
		return err
	}
	found := pomVersion.FindSubmatch(pom)
	if found == nil {
		return fmt.Errorf("pom.xml has no version")
	}
	was := string(found[1])
	return filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		old, err := os.ReadFile(file)
		if err != nil || bytes.IndexByte(old, 0) >= 0 {
			return err
		}
		text := strings.ReplaceAll(strings.ReplaceAll(string(old), was, version), ordered(was), ordered(version))
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		if name == "pom.xml" {
			text = pomTime.ReplaceAllString(text, "${1}"+at.UTC().Format(time.RFC3339)+"${2}")
		}
		if text == string(old) {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(file, []byte(text), info.Mode())
	})
}

// configuration writes what monitoring and Kubernetes take.
func (r *release) configuration() error {
	if err := r.chart(); err != nil {
		return err
	}
	for name, directory := range map[string]string{
		"canary": "deploy/canary", "monitoring": "deploy/monitoring", "production-example": "deploy/examples/production",
		"kube-prometheus-stack-example": "deploy/examples/kube-prometheus-stack",
	} {
		rendered, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(r.work, directory))
		if err != nil {
			return fmt.Errorf("%s: %w", directory, err)
		}
		text, err := rendered.AsYaml()
		if err != nil {
			return err
		}
		if err := r.write("manifests/"+name+".yaml", text); err != nil {
			return err
		}
	}
	for _, directory := range []string{"prometheus/rules", "alerting/templates", "alerting/runbooks"} {
		if err := r.copy(directory, directory); err != nil {
			return err
		}
	}
	for _, file := range []string{"prometheus/links.yml", "prometheus/prometheus.yml", "alerting/alertmanager.yml", "alerting/production.yml"} {
		content, err := os.ReadFile(filepath.Join(r.work, file))
		if err != nil {
			return err
		}
		if err := r.write(file, content); err != nil {
			return err
		}
	}
	return r.dashboards()
}

func (r *release) copy(directory, to string) error {
	files := map[string][]byte{}
	if err := collect(files, filepath.Join(r.work, directory), everything); err != nil {
		return err
	}
	for name, content := range files {
		if err := r.write(path.Join(to, name), content); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) dashboards() error {
	files := map[string][]byte{}
	if err := collect(files, filepath.Join(r.work, "dashboards/generated"), func(name string) bool { return strings.HasSuffix(name, ".json") }); err != nil {
		return err
	}
	for name, content := range files {
		uploaded, err := forGrafanaCom(content)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := r.write("dashboards/"+name, content); err != nil {
			return err
		}
		if err := r.write("dashboards/grafana.com/"+name, uploaded); err != nil {
			return err
		}
	}
	return nil
}

// chart packs the chart by its own program, and once more as registries of images keep it.
func (r *release) chart() error {
	said, err := output(filepath.Join(r.work, "deploy"), nil, "go", "run", "./chart")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	packed, err := os.ReadFile(filepath.Join(r.work, "deploy", lines[len(lines)-1]))
	if err != nil {
		return err
	}
	if err := r.write("chart/phasewise-"+r.version+".tgz", packed); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(r.work, "deploy/chart/Chart.yaml"))
	if err != nil {
		return err
	}
	var about map[string]any
	if err := yaml.Unmarshal(text, &about); err != nil {
		return err
	}
	if about["version"] != r.version {
		return fmt.Errorf("the chart says version %v, not %s", about["version"], r.version)
	}
	metadata, err := json.Marshal(about)
	if err != nil {
		return err
	}
	out := newLayout()
	of, err := out.chart(metadata, packed, r.labels("phasewise", fmt.Sprint(about["description"])))
	if err != nil {
		return err
	}
	return out.write(filepath.Join(r.output, "chart/phasewise-"+r.version+"-oci.tar"), "charts/phasewise", r.version, of, r.time)
}

// packages writes those for plain hosts, and the archive for who has only Java.
func (r *release) packages() error {
	made := filepath.Join(r.work, "deploy/debian/target")
	if err := run(r.work, nil, filepath.Join(r.work, "deploy/debian/build"), made); err != nil {
		return err
	}
	if err := r.copy("deploy/debian/target", "packages"); err != nil {
		return err
	}
	for _, each := range hosts {
		content, err := os.ReadFile(filepath.Join(made, each.name+"-"+ordered(r.version)+".tar.gz"))
		if err != nil {
			return err
		}
		plain, err := gzip.NewReader(bytes.NewReader(content))
		if err != nil {
			return err
		}
		files := tree{}
		if err := files.unpack(plain, everything); err != nil {
			return err
		}
		packed, err := each.rpm(r.version, files, r.time)
		if err != nil {
			return fmt.Errorf("%s: %w", each.name, err)
		}
		if err := r.write("packages/"+each.name+"-"+ordered(r.version)+"-1.noarch.rpm", packed); err != nil {
			return err
		}
	}
	return r.archive()
}

func (r *release) archive() error {
	files := tree{}
	top := "phasewise-" + r.version + "/"
	for _, each := range []struct {
		from, to string
		mode     int64
	}{
		{"deploy/release/phasewise", "phasewise", 0o755},
		{"canary/target/phasewise-canary.jar", "lib/phasewise-canary.jar", 0o644},
		{"exporter/target/phasewise-exporter.jar", "lib/phasewise-exporter.jar", 0o644},
		{"tools/target/phasewise-tools.jar", "lib/phasewise-tools.jar", 0o644},
		{"canary/config/canary.yml", "config/canary.yml", 0o644},
		{"exporter/config/exporter.yml", "config/exporter.yml", 0o644},
		{"README.md", "README.md", 0o644},
		{"CHANGELOG.md", "CHANGELOG.md", 0o644},
		{"LICENSE", "LICENSE", 0o644},
	} {
		content, err := os.ReadFile(filepath.Join(r.work, each.from))
		if err != nil {
			return err
		}
		files.file(top+each.to, each.mode, content)
	}
	packed, err := files.tarGz(r.time)
	if err != nil {
		return err
	}
	return r.write("phasewise-"+r.version+".tar.gz", packed)
}
