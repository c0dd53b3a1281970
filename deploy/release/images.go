// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

var architectures = []string{"amd64", "arm64"}

// What the canary's images have in common with canary/Dockerfile: a test holds the one against the other.
const (
	canaryJVM   = "JDK_JAVA_OPTIONS=-Xms128m -Xmx128m -XX:+UseZGC -XX:+ZGenerational"
	searchPath  = "PATH=/opt/java/openjdk/bin:/usr/bin"
	certificate = "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"
)

// Whom an image runs as: a number, so that Kubernetes can tell that it is not root.
var user = fmt.Sprintf("%d:%[1]d", userNumber)

// image is one of the images of a release.
type image struct {
	name, title, description string
	// Whether it has Java, and what Java stands on; otherwise it is the jar and one static program that can copy it.
	java bool
	// The jar of the release, and where the image has it.
	jar, at string
	// The directory that its user may write to, and that a volume takes its owner from; empty where there is none.
	state string
	run   running
}

var images = []image{
	{
		name: "canary", title: "Phasewise: canary", java: true, jar: "canary", at: "opt/phasewise/canary.jar", state: "var/lib/phasewise",
		description: "Measures the latency of Kafka clusters, end to end and by phase. Without a configuration it prints one to start from.",
		run: running{
			User: user, ExposedPorts: map[string]struct{}{"9470/tcp": {}},
			Env: []string{searchPath, certificate, canaryJVM},
			Entrypoint: []string{
				"java", "-XX:+ExitOnOutOfMemoryError", "-Dphasewise.canary.config=/etc/phasewise/canary.yml", "-Dphasewise.canary.host=0.0.0.0",
				"-jar", "/opt/phasewise/canary.jar",
			},
		},
	},
	{
		name: "exporter-agent", title: "Phasewise: broker exporter", jar: "exporter", at: "phasewise-exporter.jar",
		description: "The agent's jar, to be mounted as an image volume, or to be copied by an init container: cp /phasewise-exporter.jar /where.",
		run: running{
			User: user, Env: []string{"PATH=/usr/bin"},
			Entrypoint: []string{"/usr/bin/cp", "/phasewise-exporter.jar"}, Cmd: []string{"/opt/phasewise/"},
		},
	},
	{
		name: "tools", title: "Phasewise: tools", java: true, jar: "tools", at: "opt/phasewise/tools.jar",
		description: "Commands that change a cluster or a canary (demote, telemetry, pause, resume), and the capacity review.",
		run: running{
			User: user, Env: []string{searchPath, certificate},
			Entrypoint: []string{
				"java", "-Xmx512m", "-XX:+UseSerialGC", "-Dphasewise.program=phasewise", "-jar", "/opt/phasewise/tools.jar",
			},
		},
	},
}

func imageNamed(name string) (image, error) {
	for _, each := range images {
		if each.name == name {
			return each, nil
		}
	}
	return image{}, fmt.Errorf("there is no image %q", name)
}

// stand is what images of one architecture share.
type stand struct {
	base, java []layer
	commands   layer
}

func standOf(cache, architecture, given string, at time.Time) (stand, error) {
	var made stand
	static := tree{}
	if err := commands(static, cache, architecture); err != nil {
		return made, err
	}
	var err error
	if made.commands, err = layerOf(static, "Debian's busybox-static", at); err != nil {
		return made, err
	}
	if given != "" {
		layout, err := readLayout(given)
		if err != nil {
			return made, fmt.Errorf("--base %s: %w", given, err)
		}
		if made.base, err = layout.layersOf(architecture); err != nil {
			return made, fmt.Errorf("--base %s: %w", given, err)
		}
	} else {
		files, err := base(cache, architecture)
		if err != nil {
			return made, err
		}
		below, err := layerOf(files, "packages of Debian 13: deploy/release/packages.txt", at)
		if err != nil {
			return made, err
		}
		made.base = []layer{below}
	}
	java, err := javaRuntime(cache, architecture)
	if err != nil {
		return made, err
	}
	linked, err := layerOf(java, "jlink of Debian's openjdk-21", at)
	made.java = []layer{linked}
	return made, err
}

// own is what an image has that no other one has.
func (i image) own(jar []byte) tree {
	files := tree{}
	files.file(i.at, 0o644, jar)
	if i.state != "" {
		files.owned(i.state, 0o700, userNumber)
	}
	return files
}

// write makes the image's layout of all architectures.
func (i image) write(release *release, stands map[string]stand, jar []byte, to, called string) error {
	out := newLayout()
	run := i.run
	run.Labels = release.labels(i.title, i.description)
	all := index{SchemaVersion: 2, MediaType: typeIndex, Annotations: run.Labels}
	for _, architecture := range architectures {
		stand := stands[architecture]
		top, err := layerOf(i.own(jar), "the jar of the release", release.time)
		if err != nil {
			return err
		}
		layers := []layer{stand.commands, top}
		if i.java {
			layers = append(append(append([]layer{}, stand.base...), stand.java...), top)
		}
		of, err := out.image(architecture, run, layers, release.time)
		if err != nil {
			return err
		}
		all.Manifests = append(all.Manifests, of)
	}
	of, err := out.json(typeIndex, all)
	if err != nil {
		return err
	}
	return out.write(to, called, release.version, of, release.time)
}

// labels are those that the image specification names.
func (r *release) labels(title, description string) map[string]string {
	labels := map[string]string{
		"org.opencontainers.image.title":       title,
		"org.opencontainers.image.description": description,
		"org.opencontainers.image.version":     r.version,
		"org.opencontainers.image.revision":    r.commit,
		"org.opencontainers.image.created":     r.time.UTC().Format(time.RFC3339),
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.vendor":      "The Phasewise Authors",
	}
	if r.source != "" {
		labels["org.opencontainers.image.source"] = r.source
	}
	return labels
}
