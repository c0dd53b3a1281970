// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Makes one directory of all that a release consists of, from the last commit. It publishes nothing.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

var epochZero = time.Unix(0, 0)

// release is one that is being made.
type release struct {
	version, commit, source, output, base, baseDigest string
	// The repository, and a copy of its last commit that says the version.
	root, work string
	cache      string
	time       time.Time
	keys       keys
	programs   map[string]string
}

// fault is a failure with an exit code of its own.
type fault struct {
	code int
	text string
}

func (f fault) Error() string { return f.text }

func bad(format string, values ...any) error     { return fault{2, fmt.Sprintf(format, values...)} }
func missing(format string, values ...any) error { return fault{3, fmt.Sprintf(format, values...)} }

func main() {
	err := command(os.Args[1:])
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "phasewise release:", err)
	var known fault
	if errors.As(err, &known) {
		os.Exit(known.code)
	}
	os.Exit(1)
}

func command(arguments []string) error {
	root := os.Getenv("PHASEWISE_ROOT")
	if root == "" {
		return bad("is started by ./phasewise release")
	}
	made, err := parse(arguments, root)
	if err != nil {
		return err
	}
	return made.make()
}

// parse reads the arguments. The launcher itself says what they are.
func parse(arguments []string, root string) (*release, error) {
	made := &release{root: root, programs: map[string]string{}}
	for at := 0; at < len(arguments); at++ {
		argument := arguments[at]
		value := func() (string, error) {
			if at++; at == len(arguments) {
				return "", bad("%s: a value is missing", argument)
			}
			return arguments[at], nil
		}
		var err error
		switch {
		case argument == "--output":
			made.output, err = value()
		case argument == "--base":
			made.base, err = value()
		case argument == "--source":
			made.source, err = value()
		case argument == "--key":
			var file string
			if file, err = value(); err == nil {
				if err = made.keys.add(file); err != nil {
					err = bad("%v", err)
				}
			}
		case strings.HasPrefix(argument, "-"):
			err = bad("no option %s; allowed: --output, --base, --key, --source, --help", argument)
		case made.version != "":
			err = bad("%s and %s; allowed: one version", made.version, argument)
		default:
			made.version = argument
		}
		if err != nil {
			return nil, err
		}
	}
	if !semantic.MatchString(made.version) {
		return nil, bad("the version is '%s'; allowed: 0.2.0, or 0.2.0-rc.1", made.version)
	}
	if made.output == "" {
		made.output = filepath.Join(root, "target/release", made.version)
	}
	var err error
	if made.output, err = filepath.Abs(made.output); err != nil {
		return nil, err
	}
	if there, err := os.ReadDir(made.output); err == nil && len(there) > 0 {
		return nil, bad("--output %s: there is something in it", made.output)
	}
	return made, nil
}

func say(format string, values ...any) { fmt.Fprintf(os.Stderr, format+"\n", values...) }

// run runs a program and shows what it says only if it fails.
func run(directory string, environment []string, name string, arguments ...string) error {
	_, err := output(directory, environment, name, arguments...)
	return err
}

func output(directory string, environment []string, name string, arguments ...string) (string, error) {
	command := exec.Command(name, arguments...)
	command.Dir = directory
	command.Env = append(os.Environ(), environment...)
	var out, faults bytes.Buffer
	command.Stdout, command.Stderr = &out, &faults
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, tail(out.String()+faults.String(), 40))
	}
	return out.String(), nil
}

func tail(text string, most int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

func (r *release) make() error {
	for name, from := range map[string]string{
		"git": "package git", "dpkg-deb": "Debian and Ubuntu have it; elsewhere: package dpkg", "unshare": "package util-linux", "go": "https://go.dev/dl",
	} {
		if _, err := exec.LookPath(name); err != nil {
			return missing("%s is missing (%s)", name, from)
		}
	}
	if r.keys.pgp != nil {
		if _, err := exec.LookPath("gpg"); err != nil {
			return missing("gpg is missing (package gnupg), and a key of OpenPGP was given")
		}
	}
	var err error
	if r.cache, err = cacheDirectory(); err != nil {
		return err
	}
	for _, step := range []struct {
		says string
		do   func() error
	}{
		{"copying the last commit", r.checkout},
		{"building the jars: some minutes", r.build},
		{"jars, sources, documentation", r.jars},
		{"images for amd64 and arm64: the first time a few minutes more", r.writeImages},
		{"chart, manifests, rules, dashboards", r.configuration},
		{"packages", r.packages},
		{"digests, provenance", r.vouch},
	} {
		say("  %s", step.says)
		if err := step.do(); err != nil {
			if r.work != "" {
				os.RemoveAll(r.work)
			}
			return err
		}
	}
	if err := os.RemoveAll(r.work); err != nil {
		return err
	}
	say("Made %s of commit %s: %s", r.version, r.commit[:12], r.output)
	if r.keys.pgp == nil && r.keys.elliptic == nil {
		say("Nothing is signed: no key was given.")
	}
	return nil
}

// checkout copies the last commit, and writes the version into the copy.
func (r *release) checkout() error {
	commit, err := output(r.root, nil, "git", "rev-parse", "HEAD")
	if err != nil {
		return missing("%s is no git repository: %v", r.root, err)
	}
	r.commit = strings.TrimSpace(commit)
	at, err := output(r.root, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(at), 10, 64)
	if err != nil {
		return err
	}
	r.time = time.Unix(seconds, 0).UTC()
	if changed, err := output(r.root, nil, "git", "status", "--porcelain"); err == nil && changed != "" {
		say("  what is not committed is not in it:\n%s", tail(changed, 5))
	}
	changelog, err := output(r.root, nil, "git", "show", "HEAD:CHANGELOG.md")
	if err != nil {
		return err
	}
	notes, err := notesOf(changelog, r.version)
	if err != nil {
		return bad("%v", err)
	}
	if r.work, err = os.MkdirTemp("", "phasewise-release"); err != nil {
		return err
	}
	archive := filepath.Join(r.work, ".tar")
	if err := run(r.root, nil, "git", "archive", "--output", archive, "HEAD"); err != nil {
		return err
	}
	if err := run(r.work, nil, "tar", "--extract", "--file", archive); err != nil {
		return err
	}
	if err := os.Remove(archive); err != nil {
		return err
	}
	if err := setVersion(r.work, r.version, r.time); err != nil {
		return err
	}
	r.programs["go"] = first(output(r.work, nil, "go", "version"))
	return r.write("NOTES.md", []byte(notes))
}

func cacheDirectory() (string, error) {
	kept, err := os.UserCacheDir()
	return filepath.Join(kept, "phasewise/release"), err
}

// stands are what the images of each architecture stand on.
func (r *release) stands() (map[string]stand, error) {
	stands := map[string]stand{}
	for _, architecture := range architectures {
		made, err := standOf(r.cache, architecture, r.base, r.time)
		if err != nil {
			return nil, err
		}
		stands[architecture] = made
	}
	return stands, nil
}

func first(text string, err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// write puts a file into the release.
func (r *release) write(name string, content []byte) error {
	file := filepath.Join(r.output, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

func (r *release) maven() string {
	if maven := os.Getenv("PHASEWISE_MAVEN"); maven != "" && filepath.Base(maven) != "mvnw" {
		return maven
	}
	return filepath.Join(r.work, "mvnw")
}

func (r *release) build() error {
	var names []string
	for _, each := range modules {
		names = append(names, each.name)
	}
	said, err := output(r.work, nil, r.maven(), "--version")
	if err != nil {
		return err
	}
	for line := range strings.Lines(said) {
		if name, value, is := strings.Cut(strings.TrimSpace(line), ": "); is && name == "Java version" {
			r.programs["java"] = strings.Split(value, ", runtime")[0]
		} else if strings.Contains(line, "Apache Maven") {
			r.programs["maven"] = strings.Trim(strings.TrimSpace(line), "\x1b[01m")
		}
	}
	return run(r.work, nil, r.maven(), "--quiet", "--batch-mode", "-Psbom", "-pl", strings.Join(names, ","), "-am",
		"-Dmaven.test.skip=true", "-Dspotless.check.skip=true", "-Djacoco.skip=true", "-Dmdep.outputFile="+classPathFile, "package", "dependency:build-classpath")
}

func (r *release) jar(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(r.work, name, "target/phasewise-"+name+".jar"))
}

func (r *release) billOf(name string) ([]byte, bill, error) {
	text, err := os.ReadFile(filepath.Join(r.work, name, "target/bom.json"))
	if err != nil {
		return nil, bill{}, err
	}
	read, err := readBill(text)
	return text, read, err
}

func (r *release) jars() error {
	javadoc := "javadoc"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		javadoc = filepath.Join(home, "bin/javadoc")
	}
	for _, each := range modules {
		content, err := r.jar(each.name)
		if err != nil {
			return err
		}
		text, read, err := r.billOf(each.name)
		if err != nil {
			return err
		}
		if err := checkLicences(content, read.Components); err != nil {
			return fmt.Errorf("phasewise-%s.jar: %w", each.name, err)
		}
		sources, err := each.sourcesJar(r.work, r.time)
		if err != nil {
			return err
		}
		documentation, err := each.javadocJar(r.work, javadoc, r.time)
		if err != nil {
			return err
		}
		pom, err := each.pom(r.version, r.source)
		if err != nil {
			return err
		}
		name := "jars/phasewise-" + each.name + "-" + r.version
		for _, file := range []struct {
			name    string
			content []byte
		}{
			{name + ".jar", content}, {name + "-sources.jar", sources}, {name + "-javadoc.jar", documentation}, {name + ".pom", pom},
			{"bills/phasewise-" + each.name + ".cdx.json", text},
		} {
			if err := r.write(file.name, file.content); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) writeImages() error {
	if r.base != "" {
		layout, err := readLayout(r.base)
		if err != nil {
			return bad("--base %s: %v", r.base, err)
		}
		if top, has := layout.files["index.json"]; has {
			r.baseDigest = digest(top.content)
		}
	}
	stands, err := r.stands()
	if err != nil {
		return err
	}
	for _, each := range images {
		content, err := r.jar(each.jar)
		if err != nil {
			return err
		}
		if err := each.write(r, stands, content, filepath.Join(r.output, "images", "phasewise-"+each.name+"-"+r.version+".tar"), "phasewise/"+each.name); err != nil {
			return err
		}
		_, read, err := r.billOf(each.jar)
		if err != nil {
			return err
		}
		for _, architecture := range architectures {
			packages, err := r.packagesOf(each, architecture)
			if err != nil {
				return err
			}
			text, err := ofImage(each.name, r.version, packages, read)
			if err != nil {
				return err
			}
			if err := r.write("bills/image-"+each.name+"-"+architecture+".cdx.json", text); err != nil {
				return err
			}
		}
	}
	return nil
}

// packagesOf are the packages of Debian in an image; of a base that was given, nothing is known.
func (r *release) packagesOf(of image, architecture string) ([]debianPackage, error) {
	names := []string{"busybox-static"}
	if of.java {
		names = append([]string{}, javaPackages...)
		if r.base == "" {
			names = append(append(names, basePackages...), "busybox-static")
		}
	}
	return packagesFor(pinned, architecture, names)
}

// vouch writes provenance and digests, and signs them where there is a key.
func (r *release) vouch() error {
	digests := map[string]string{}
	files := map[string][]byte{}
	if err := collect(files, r.output, everything); err != nil {
		return err
	}
	for name, content := range files {
		digests[name] = sum(content)
	}
	var packages []debianPackage
	for _, architecture := range architectures {
		for _, names := range [][]string{basePackages, javaPackages, {"busybox-static"}} {
			found, err := packagesFor(pinned, architecture, names)
			if err != nil {
				return err
			}
			for _, each := range found {
				if !slices.Contains(packages, each) {
					packages = append(packages, each)
				}
			}
		}
	}
	statement, err := r.provenanceOf(digests, packages)
	if err != nil {
		return err
	}
	if err := r.write("provenance.json", statement); err != nil {
		return err
	}
	digests["provenance.json"] = sum(statement)
	sums := []byte(sumsOf(digests))
	if err := r.write("SHA256SUMS", sums); err != nil {
		return err
	}
	if err := r.signElliptic(sums, statement); err != nil {
		return err
	}
	return r.signPGP(files)
}

// sumsOf is what `sha256sum --check` reads.
func sumsOf(digests map[string]string) string {
	names := make([]string, 0, len(digests))
	for name := range digests {
		names = append(names, name)
	}
	slices.Sort(names)
	var all strings.Builder
	for _, name := range names {
		fmt.Fprintf(&all, "%s  %s\n", digests[name], name)
	}
	return all.String()
}

func (r *release) signElliptic(sums, statement []byte) error {
	if r.keys.elliptic == nil {
		return nil
	}
	signature, err := r.keys.signature(sums)
	if err != nil {
		return err
	}
	envelope, err := r.keys.envelope(statement)
	if err != nil {
		return err
	}
	public, err := r.keys.publicKey()
	if err != nil {
		return err
	}
	return errors.Join(r.write("SHA256SUMS.sig", signature), r.write("provenance.dsse.json", envelope), r.write("signing-key.pub", public))
}

func (r *release) signPGP(files map[string][]byte) error {
	if r.keys.pgp == nil {
		return nil
	}
	signed := []string{filepath.Join(r.output, "SHA256SUMS")}
	jars := map[string][]byte{}
	for name, content := range files {
		if base, is := strings.CutPrefix(name, "jars/"); is {
			signed = append(signed, filepath.Join(r.output, name))
			jars[base] = content
		}
	}
	if err := r.keys.pgpSign(signed); err != nil {
		return err
	}
	for _, name := range slices.Collect(keysOf(jars)) {
		content, err := os.ReadFile(filepath.Join(r.output, "jars", name+".asc"))
		if err != nil {
			return err
		}
		jars[name+".asc"] = content
	}
	bundle, err := centralBundle(jars, r.version, r.time)
	if err != nil {
		return err
	}
	return r.write("maven-central.zip", bundle)
}
