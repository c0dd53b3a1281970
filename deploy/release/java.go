// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// What the canary and the tools use of Java: what jdeps finds, without what only unused parts of libraries ask for (java.desktop, java.sql); besides
// logging, agents that a user adds, elliptic curves for TLS, and names and logins for Kerberos.
const javaModules = "java.base,java.instrument,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.security.sasl,java.xml," +
	"jdk.crypto.ec,jdk.httpserver,jdk.management,jdk.naming.dns,jdk.security.auth,jdk.security.jgss,jdk.unsupported"

// Where an image has Java.
const javaHome = "opt/java/openjdk"

var linkOptions = []string{"--strip-java-debug-attributes", "--no-header-files", "--no-man-pages", "--compress=zip-6"}

// javaRuntime is a runtime of only those modules for an architecture. It is linked by the pinned JDK of this machine's architecture, which stands on its own
// C library and so is run in a file system of its own; what it makes is kept.
func javaRuntime(cache, architecture string) (tree, error) {
	host := runtime.GOARCH
	linker, err := packagesFor(pinned, host, append([]string{"base-files", "libc6", "libgcc-s1", "libstdc++6", "zlib1g"}, javaPackages...))
	if err != nil {
		return nil, err
	}
	modules, err := packagesFor(pinned, architecture, javaPackages[:1])
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(cache, "java-"+architecture+"-"+sum([]byte(fmt.Sprint(linker, modules, javaModules, linkOptions)))[:16]+".tar")
	if content, err := os.ReadFile(kept); err == nil {
		files := tree{}
		return files, files.unpack(bytes.NewReader(content), func(string) bool { return true })
	}
	work, err := os.MkdirTemp("", "phasewise-java")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	for _, each := range linker {
		if err := unpackOnDisk(each, cache, work); err != nil {
			return nil, err
		}
	}
	target := filepath.Join(work, "target")
	if err := os.Mkdir(target, 0o755); err != nil {
		return nil, err
	}
	if err := unpackOnDisk(modules[0], cache, target); err != nil {
		return nil, err
	}
	link := append([]string{
		"usr/lib/jvm/java-21-openjdk-" + host + "/bin/jlink", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--module-path", "/target/usr/lib/jvm/java-21-openjdk-" + architecture + "/jmods",
		"--add-modules", javaModules, "--output", "/linked",
	}, linkOptions...)
	// Java looks for itself in /proc. Root does not need a user namespace, and a container may not have one.
	isolate := []string{"--mount"}
	if os.Getuid() != 0 {
		isolate = append(isolate, "--user", "--map-root-user")
	}
	script := `mount --rbind /proc "$0/proc" && chroot "$0" "$@"`
	command := exec.Command("unshare", append(append(isolate, "sh", "-c", script, work), link...)...)
	command.Env = []string{"PATH=" + os.Getenv("PATH")}
	if said, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("jlink for %s, in a file system of its own: %w: %s", architecture, err, strings.TrimSpace(string(said)))
	}
	files := tree{}
	if err := files.read(filepath.Join(work, "linked"), javaHome); err != nil {
		return nil, err
	}
	var content bytes.Buffer
	if err := files.tar(&content, epochZero); err != nil {
		return nil, err
	}
	return files, os.WriteFile(kept, content.Bytes(), 0o644)
}

func unpackOnDisk(each debianPackage, cache, directory string) error {
	file, err := each.cached(cache)
	if err != nil {
		return err
	}
	if said, err := exec.Command("dpkg-deb", "--extract", file, directory).CombinedOutput(); err != nil {
		return fmt.Errorf("dpkg-deb --extract %s: %w: %s", file, err, said)
	}
	return nil
}
