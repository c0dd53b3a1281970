// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

//go:build release

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Makes a release of the last commit twice, the second time signed, and looks at what is in it. Takes as long as two builds.
func TestAReleaseIsWholeAndTheSameAgain(t *testing.T) {
	pom := string(must[[]byte](t)(os.ReadFile("../../pom.xml")))
	version, _, _ := strings.Cut(pomVersion.FindStringSubmatch(pom)[1], "-")
	version += "-rc.1"
	directory := t.TempDir()
	made, signed := filepath.Join(directory, "made"), filepath.Join(directory, "signed")
	elliptic, pgp := keyFiles(t, directory)
	const source = "https://example.com/phasewise"
	phasewise(t, "release", version, "--source", source, "--output", made)
	phasewise(t, "release", version, "--source", source, "--output", signed, "--key", elliptic, "--key", pgp)

	t.Run("TheSameBytesButForSignatures", func(t *testing.T) {
		once, again := map[string][]byte{}, map[string][]byte{}
		for directory, files := range map[string]map[string][]byte{made: once, signed: again} {
			if err := collect(files, directory, everything); err != nil {
				t.Fatal(err)
			}
		}
		signature := regexp.MustCompile(`\.asc$|^SHA256SUMS\.sig$|^provenance\.dsse\.json$|^signing-key\.pub$|^maven-central\.zip$`)
		for name, content := range again {
			if signature.MatchString(name) {
				continue
			}
			if !bytes.Equal(content, once[name]) {
				t.Errorf("%s differs", name)
			}
		}
		for name := range once {
			if again[name] == nil {
				t.Errorf("%s is only in the first", name)
			}
		}
	})
	t.Run("Signatures", func(t *testing.T) {
		commanded(t, signed, "sha256sum", "--quiet", "--check", "SHA256SUMS")
		raw := filepath.Join(directory, "signature")
		commanded(t, signed, "openssl", "base64", "-d", "-A", "-in", "SHA256SUMS.sig", "-out", raw)
		commanded(t, signed, "openssl", "dgst", "-sha256", "-verify", "signing-key.pub", "-signature", raw, "SHA256SUMS")
		home := filepath.Join(directory, "gpg-home")
		for _, file := range []string{"SHA256SUMS", "jars/phasewise-tools-" + version + ".pom"} {
			commanded(t, signed, "gpg", "--homedir", home, "--batch", "--quiet", "--verify", file+".asc", file)
		}
	})
	t.Run("TheArchiveForWhoHasOnlyJava", func(t *testing.T) {
		commanded(t, directory, "tar", "--extract", "--file", filepath.Join(made, "phasewise-"+version+".tar.gz"))
		program := filepath.Join(directory, "phasewise-"+version, "phasewise")
		for arguments, code := range map[string]int{
			"--help": 0, "demote --help": 0, "telemetry --help": 0, "report --help": 0, "pause --help": 0, "resume --help": 0,
			"check " + filepath.Join(directory, "phasewise-"+version, "config/canary.yml"): 0, "up": 3, "check": 2, "colour": 2, "": 2,
		} {
			said, got := exitCode(t, exec.Command(program, strings.Fields(arguments)...))
			if got != code {
				t.Errorf("phasewise %s ends with code %d; expected %d: %s", arguments, got, code, said)
			}
			if arguments == "up" && !strings.Contains(said, "needs the checkout") {
				t.Errorf("phasewise up says %q", said)
			}
		}
		said, _ := exitCode(t, exec.Command(program, "--version"))
		if !strings.Contains(said, version) {
			t.Errorf("phasewise --version says %q", said)
		}
	})
	t.Run("TheCanarysImage", func(t *testing.T) {
		root := unpacked(t, filepath.Join(made, "images/phasewise-canary-"+version+".tar"))
		run := must[image](t)(imageNamed("canary")).run
		said, code := exitCode(t, inside(root, run.Env, run.Entrypoint...))
		if code != 0 || !strings.Contains(said, "bootstrap-servers") {
			t.Errorf("without arguments it ends with %d and says %s", code, tail(said, 5))
		}
		said, code = exitCode(t, inside(root, append([]string{"CANARY_CLUSTERS_X_BOOTSTRAP_SERVERS=b:1"}, run.Env...), append(slices.Clone(run.Entrypoint), "--check-config")...))
		if code != 0 || !strings.Contains(said, "environment variables: sound\ncluster x: topic phasewise-canary") {
			t.Errorf("with a variable it ends with %d and says %s", code, said)
		}
		said, _ = exitCode(t, inside(root, run.Env, "/usr/bin/sh", "-c", "touch /new; touch /tmp/new; ls /tmp; grep Uid /proc/self/status"))
		for _, part := range []string{"/new: Read-only file system", "\nnew"} {
			if !strings.Contains(said, part) {
				t.Errorf("in its file system there is no %q: %s", part, said)
			}
		}
		if os.Getuid() == 0 && !strings.Contains(said, "Uid:\t10001\t10001") {
			t.Errorf("it does not run as %d: %s", userNumber, said)
		}
	})
	t.Run("TheAgentsImage", func(t *testing.T) {
		root := unpacked(t, filepath.Join(made, "images/phasewise-exporter-agent-"+version+".tar"))
		said, code := exitCode(t, inside(root, []string{"PATH=/usr/bin"}, "cp", "/phasewise-exporter.jar", "/tmp/agent.jar"))
		if code != 0 {
			t.Errorf("cp ends with code %d: %s", code, said)
		}
		jar := must[[]byte](t)(os.ReadFile(filepath.Join(root, "phasewise-exporter.jar")))
		expect(t, "the agent's digest", sum(jar), sum(must[[]byte](t)(os.ReadFile(filepath.Join(made, "jars/phasewise-exporter-"+version+".jar")))))
	})
	t.Run("TheToolsImage", func(t *testing.T) {
		root := unpacked(t, filepath.Join(made, "images/phasewise-tools-"+version+".tar"))
		run := must[image](t)(imageNamed("tools")).run
		said, code := exitCode(t, inside(root, run.Env, append(slices.Clone(run.Entrypoint), "demote", "--help")...))
		if code != 0 || !strings.Contains(said, "Usage: phasewise demote") {
			t.Errorf("demote --help ends with %d and says %s", code, said)
		}
	})
	t.Run("TheChart", func(t *testing.T) {
		layout := must[*layout](t)(readLayout(filepath.Join(made, "chart/phasewise-"+version+"-oci.tar")))
		var top index
		if err := json.Unmarshal(layout.files["index.json"].content, &top); err != nil {
			t.Fatal(err)
		}
		var of manifest
		if err := layout.get(top.Manifests[0], &of); err != nil {
			t.Fatal(err)
		}
		packed := must[[]byte](t)(os.ReadFile(filepath.Join(made, "chart/phasewise-"+version+".tgz")))
		expect(t, "the digest of the chart", of.Layers[0].Digest, digest(packed))
	})
}

func phasewise(t *testing.T, arguments ...string) {
	t.Helper()
	commanded(t, "../..", "./phasewise", arguments...)
}

func commanded(t *testing.T, directory, name string, arguments ...string) {
	t.Helper()
	command := exec.Command(name, arguments...)
	command.Dir = directory
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", name, arguments, err, said)
	}
}

func exitCode(t *testing.T, command *exec.Cmd) (string, int) {
	t.Helper()
	said, err := command.CombinedOutput()
	if err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return string(said), command.ProcessState.ExitCode()
}

// keyFiles are two new keys.
func keyFiles(t *testing.T, directory string) (elliptic, pgp string) {
	t.Helper()
	elliptic, pgp = filepath.Join(directory, "key.pem"), filepath.Join(directory, "key.asc")
	commanded(t, directory, "openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", elliptic)
	home := filepath.Join(directory, "gpg-home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { exec.Command("gpgconf", "--homedir", home, "--kill", "all").Run() })
	gpg := func(arguments ...string) {
		commanded(t, directory, "gpg", append([]string{"--homedir", home, "--batch", "--quiet", "--passphrase", ""}, arguments...)...)
	}
	gpg("--quick-generate-key", "A Test <test@example.com>", "ed25519", "sign", "never")
	gpg("--armor", "--output", pgp, "--export-secret-keys")
	return elliptic, pgp
}

// unpacked is the file system of an image for this machine.
func unpacked(t *testing.T, file string) string {
	t.Helper()
	layers := must[[]layer](t)(must[*layout](t)(readLayout(file)).layersOf(runtime.GOARCH))
	root := t.TempDir()
	for _, each := range layers {
		plain := must[*gzip.Reader](t)(gzip.NewReader(bytes.NewReader(each.small)))
		extract := exec.Command("tar", "--extract", "--no-same-owner", "--directory", root)
		extract.Stdin = plain
		if said, err := extract.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", file, err, said)
		}
	}
	for _, name := range []string{"proc", "dev", "tmp"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	return root
}

// inside runs a program in a read-only root with an empty /tmp, as the image's user where root may choose one.
func inside(root string, environment []string, arguments ...string) *exec.Cmd {
	isolate := []string{"--mount"}
	as := "--userspec=" + user
	if os.Getuid() != 0 {
		isolate = append(isolate, "--user", "--map-root-user")
		as = "--userspec=0:0"
	}
	script := fmt.Sprintf(`set -e
mount --bind "$0" "$0"; mount --rbind /proc "$0/proc"; mount --rbind /dev "$0/dev"; mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"; mount -o remount,bind,ro "$0"
exec chroot %s "$0" /usr/bin/busybox env -i %s "$@"`, as, strings.Join(quoted(environment), " "))
	return exec.Command("unshare", append(append(isolate, "sh", "-c", script, root), arguments...)...)
}

func quoted(all []string) []string {
	made := make([]string, len(all))
	for at, each := range all {
		made[at] = "'" + strings.ReplaceAll(each, "'", `'\''`) + "'"
	}
	return made
}
