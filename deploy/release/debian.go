// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed packages.txt
var pinned string

// debianPackage is one file of packages.txt: name, version, architecture, digest and where Debian has it.
type debianPackage struct {
	name, version, architecture, sha256, url string
}

// purl names it in bills of materials.
func (p debianPackage) purl() string {
	return fmt.Sprintf("pkg:deb/debian/%s@%s?arch=%s&distro=debian-13", p.name, strings.ReplaceAll(p.version, "+", "%2B"), p.architecture)
}

// What an image stands on. The compiler's base package holds only the licences of its libraries.
var basePackages = []string{"base-files", "ca-certificates", "gcc-14-base", "libc6", "libgcc-s1", "libstdc++6", "netbase", "tzdata", "zlib1g"}

// What the runtime of an image is linked from, and runs the linker.
var javaPackages = []string{"openjdk-21-jdk-headless", "openjdk-21-jre-headless"}

// packagesFor are the packages of these names for an architecture.
func packagesFor(list, architecture string, names []string) ([]debianPackage, error) {
	var found []debianPackage
	for _, name := range names {
		before := len(found)
		for line := range strings.Lines(list) {
			field := strings.Fields(line)
			if len(field) == 5 && field[0] == name && (field[2] == architecture || field[2] == "all") {
				found = append(found, debianPackage{field[0], field[1], field[2], field[3], field[4]})
			}
		}
		if len(found) != before+1 {
			return nil, fmt.Errorf("packages.txt: %d lines of %s for %s, where there should be one", len(found)-before, name, architecture)
		}
	}
	return found, nil
}

// cached is the package's file on this machine, downloaded if it is not there yet, and checked.
func (p debianPackage) cached(cache string) (string, error) {
	file := filepath.Join(cache, p.sha256+".deb")
	if content, err := os.ReadFile(file); err == nil && sum(content) == p.sha256 {
		return file, nil
	}
	content, err := download(p.url)
	if err != nil {
		return "", fmt.Errorf("%s %s: %w; where Debian has replaced it by a newer version, run deploy/release/pin", p.name, p.version, err)
	}
	if sum(content) != p.sha256 {
		return "", fmt.Errorf("%s: its SHA-256 is %s, but packages.txt says %s", p.url, sum(content), p.sha256)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	return file, os.WriteFile(file, content, 0o644)
}

func download(url string) ([]byte, error) {
	client := http.Client{Timeout: 10 * time.Minute}
	answer, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

func sum(content []byte) string {
	of := sha256.Sum256(content)
	return hex.EncodeToString(of[:])
}

// Documentation other than licences, and what only a shell with a user needs.
var unneeded = regexp.MustCompile(`^(boot|home|srv|media|mnt|opt|root|usr/games|usr/local|usr/src|etc/(default|skel|profile\.d|update-motd\.d|opt|issue.*|kernel)|usr/share/(man|info|locale|lintian|bug|base-files|doc-base|dict|misc)|usr/lib/\w+-linux-gnu/(gconv|audit)|var/lib/(dpkg|misc)|var/(backups|local|mail|opt|spool))(/|$)`)

var documentation = regexp.MustCompile(`^usr/share/doc/[^/]+/.+`)

func needed(name string) bool {
	return !unneeded.MatchString(name) && (!documentation.MatchString(name) || path.Base(name) == "copyright")
}

// add puts what the packages hold into a file system, and their entries where scanners look for them: nothing of theirs is run.
func (t tree) add(cache string, packages []debianPackage, keep func(string) bool) error {
	for _, each := range packages {
		file, err := each.cached(cache)
		if err != nil {
			return err
		}
		content, err := exec.Command("dpkg-deb", "--fsys-tarfile", file).Output()
		if err != nil {
			return fmt.Errorf("dpkg-deb --fsys-tarfile %s: %w", file, err)
		}
		if err := t.unpack(bytes.NewReader(content), keep); err != nil {
			return fmt.Errorf("%s: %w", each.name, err)
		}
		control, err := exec.Command("dpkg-deb", "--field", file).Output()
		if err != nil {
			return fmt.Errorf("dpkg-deb --field %s: %w", file, err)
		}
		t.file("var/lib/dpkg/status.d/"+each.name, 0o644, control)
	}
	return nil
}

const (
	userNumber = 10001
	passwd     = "root:x:0:0:root:/root:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\nphasewise:x:10001:10001::/nonexistent:/usr/sbin/nologin\n"
	group      = "root:x:0:\nnogroup:x:65534:\nphasewise:x:10001:\n"
	nsswitch   = "passwd: files\ngroup: files\nhosts: files dns\nservices: files\n"
)

// base is the file system below Java.
func base(cache, architecture string) (tree, error) {
	packages, err := packagesFor(pinned, architecture, basePackages)
	if err != nil {
		return nil, err
	}
	files := tree{}
	if err := files.add(cache, packages, needed); err != nil {
		return nil, err
	}
	files.file("etc/passwd", 0o644, []byte(passwd))
	files.file("etc/group", 0o644, []byte(group))
	files.file("etc/nsswitch.conf", 0o644, []byte(nsswitch))
	files.file("etc/ssl/certs/ca-certificates.crt", 0o644, authorities(files))
	return files, commands(files, cache, architecture)
}

// authorities are the certificates of Mozilla's authorities in one file, as the package's script would write it.
func authorities(files tree) []byte {
	var names []string
	for name := range files {
		if strings.HasPrefix(name, "usr/share/ca-certificates/") && strings.HasSuffix(name, ".crt") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var all bytes.Buffer
	for _, name := range names {
		all.Write(bytes.TrimSpace(files[name].content))
		all.WriteByte('\n')
	}
	return all.Bytes()
}

// commands are what documents have somebody run inside a container: to pause the canary, to copy the agent. One static program.
func commands(files tree, cache, architecture string) error {
	packages, err := packagesFor(pinned, architecture, []string{"busybox-static"})
	if err != nil {
		return err
	}
	err = files.add(cache, packages, func(name string) bool {
		return needed(name) && (name == "usr" || name == "usr/bin" || name == "usr/bin/busybox" || strings.HasPrefix(name, "usr/share/doc"))
	})
	for _, name := range []string{"cat", "cp", "df", "env", "grep", "ls", "mkdir", "mv", "nc", "nslookup", "ps", "rm", "sh", "sleep", "tail", "timeout", "touch", "wget"} {
		files.symlink("usr/bin/"+name, "busybox")
	}
	return err
}
