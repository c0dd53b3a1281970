// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Makes the Helm chart of the Kustomize bases, so that there is one copy of every manifest. Values reach the objects by a few holes, which this file
// names; everything else is what `kubectl kustomize` renders.
package main

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// object is one manifest, to put holes into.
type object map[string]any

func (o object) at(keys ...any) any {
	var here any = map[string]any(o)
	for _, key := range keys {
		switch k := key.(type) {
		case string:
			here = here.(map[string]any)[k]
		case int:
			here = here.([]any)[k]
		}
	}
	return here
}

func (o object) is(kind, name string) bool {
	return o["kind"] == kind && strings.HasPrefix(o.at("metadata", "name").(string), name)
}

// set puts a value where the keys lead.
func (o object) set(value any, keys ...any) {
	last := keys[len(keys)-1]
	switch parent := o.at(keys[:len(keys)-1]...).(type) {
	case map[string]any:
		parent[last.(string)] = value
	case []any:
		parent[last.(int)] = value
	default:
		panic(fmt.Sprintf("%v not found in %v", keys, o.at("metadata", "name")))
	}
}

// A hole stands for a template until the object is text, as a word that nothing in YAML quotes or folds, and that as a key comes last.

// holes are their templates, by number: YAML breaks up what is long.
var holes []string

func as(kind, template string) string {
	holes = append(holes, template)
	return fmt.Sprintf("zz~~%s%d~~", kind, len(holes)-1)
}

// hole is an expression in the place of a value.
func hole(expression string) string { return as("h", expression) }

// block is an expression whose value takes lines of its own, below its key.
func block(expression string) string { return as("b", expression) }

// lines are lines of a template in the place of an item of a list, or of a key; $indent is how far it is to the right.
func lines(template string) string { return as("l", template) }

var (
	someBlock = regexp.MustCompile(`(?m)^( *)(- )?(.*)zz~~b([0-9]+)~~$`)
	someLines = regexp.MustCompile(`(?m)^( *)(?:- )?zz~~l([0-9]+)~~(?:: .*)?$`)
	someHole  = regexp.MustCompile(`zz~~h([0-9]+)~~`)
)

// text is the template of an object. What it has of Helm's own brackets, as alerts have, is kept from Helm.
func text(o object) (string, error) {
	encoded, err := yaml.Marshal(o)
	if err != nil {
		return "", err
	}
	escaped := strings.ReplaceAll(string(encoded), "{{", `{{ "{{" }}`)
	fill := func(hole *regexp.Regexp, with func(part []string) string) {
		escaped = hole.ReplaceAllStringFunc(escaped, func(found string) string {
			part := hole.FindStringSubmatch(found)
			number, _ := strconv.Atoi(part[len(part)-1])
			part[len(part)-1] = holes[number]
			return with(part)
		})
	}
	fill(someBlock, func(part []string) string {
		return fmt.Sprintf("%s%s%s{{- %s | nindent %d }}", part[1], part[2], part[3], part[4], len(part[1])+len(part[2])+2)
	})
	fill(someLines, func(part []string) string { return strings.ReplaceAll(part[2], "$indent", part[1]) })
	fill(someHole, func(part []string) string { return "{{ " + part[1] + " }}" })
	return escaped, nil
}

const namespace = ".Release.Namespace"

func canary(o object) {
	switch o["kind"] {
	case "ConfigMap":
		o.set("kafka-canary", "metadata", "name")
		o.set(map[string]any{lines(`$indentcanary.yml: |{{ toYaml (dict "canary" .Values.canary.config) | nindent 4 }}`): ""}, "data")
	case "Deployment":
		// Changes of the configuration roll the pods: here by this, in Kustomize by the name of the ConfigMap.
		o.set(map[string]any{"checksum/config": hole("toYaml .Values.canary.config | sha256sum")}, "spec", "template", "metadata", "annotations")
		o.set(hole(".Values.canary.replicas"), "spec", "replicas")
		pod := []any{"spec", "template", "spec"}
		in := func(keys ...any) []any { return append(append([]any{}, pod...), keys...) }
		container := in("containers", 0)
		inside := func(keys ...any) []any { return append(append([]any{}, container...), keys...) }
		o.set(hole(".Values.canary.image | quote"), inside("image")...)
		o.set(block("toYaml .Values.canary.resources"), inside("resources")...)
		o.set("", inside(lines("{{- with .Values.canary.env }}{{ dict \"env\" . | toYaml | nindent 8 }}{{- end }}"))...)
		o.set("", in(lines("{{- with .Values.canary.pullSecrets }}{{ dict \"imagePullSecrets\" . | toYaml | nindent 6 }}{{- end }}"))...)
		o.set(hole(port), inside("ports", 0, "containerPort")...)
		for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
			delete(o.at(inside(probe)...).(map[string]any), "httpGet")
			o.set("", inside(probe, lines(asked))...)
		}
		// A volume for each path, named by its number: a Secret's name may be too long for a volume's, or hold dots, or be that of another volume.
		o.set(append(o.at(inside("volumeMounts")...).([]any),
			lines("{{- range $number, $path := keys .Values.canary.secretFiles | sortAlpha }}\n$indent- name: secret-{{ $number }}\n$indent  mountPath: {{ $path | quote }}\n$indent  readOnly: true\n{{- end }}")), inside("volumeMounts")...)
		o.set(append(o.at(in("volumes")...).([]any),
			lines("{{- range $number, $path := keys .Values.canary.secretFiles | sortAlpha }}\n$indent- name: secret-{{ $number }}\n$indent  secret: { secretName: {{ get $.Values.canary.secretFiles $path | quote }} }\n{{- end }}")), in("volumes")...)
		for _, volume := range o.at(in("volumes")...).([]any) {
			if v, ok := volume.(map[string]any); ok && v["configMap"] != nil {
				v["configMap"] = map[string]any{"name": "kafka-canary"}
			}
		}
	case "Service":
		o.set(hole(port), "spec", "ports", 0, "port")
	case "NetworkPolicy":
		o.set(append(o.at("spec", "egress").([]any),
			lines(`{{- range (include "phasewise.egressPorts" . | fromJsonArray) }}`+"\n$indent- ports: [ { protocol: TCP, port: {{ . }} } ]\n{{- end }}")), "spec", "egress")
	}
}

// port is where the canary listens.
const port = ".Values.canary.config.http.port"

// asked is how Kubernetes asks whether the canary is healthy. Where only clients with a certificate are let in it cannot ask.
const asked = `{{- $tls := .Values.canary.config.http.tls | default dict }}
{{- if index $tls "client-ca" }}
$indenttcpSocket: { port: metrics }
{{- else }}
$indenthttpGet: { path: /-/healthy, port: metrics{{ if $tls }}, scheme: HTTPS{{ end }} }
{{- end }}`

// scrapedBy is how Prometheus gets in, of an endpoint that asks for it; $target is the key of its values.
const scrapedBy = `{{- with .Values.monitoring.scrape.$target.tlsConfig }}
$indentscheme: https
{{ dict "tlsConfig" . | toYaml | indent 4 }}
{{- end }}
{{- with .Values.monitoring.scrape.$target.basicAuth }}
{{ dict "basicAuth" . | toYaml | indent 4 }}
{{- end }}`

func monitoring(o object) {
	if o["kind"] != "ServiceMonitor" && o["kind"] != "PrometheusRule" {
		return
	}
	o.set("", "metadata", "labels", lines("{{- with .Values.monitoring.labels }}{{ toYaml . | nindent 4 }}{{- end }}"))
	if o["kind"] == "ServiceMonitor" && o.at("metadata", "name") != "prometheus" && o.at("metadata", "name") != "alertmanager" {
		o.set(hole(".Values.monitoring.scrapeInterval"), "spec", "endpoints", 0, "interval")
		o.set(hole(".Values.monitoring.scrapeTimeout"), "spec", "endpoints", 0, "scrapeTimeout")
		target := "exporters"
		if o.is("ServiceMonitor", "kafka-canary") {
			target = "canary"
		}
		o.set("", "spec", "endpoints", 0, lines(strings.ReplaceAll(scrapedBy, "$target", target)))
	}
	if o.is("PrometheusRule", "phasewise-links") {
		labels := []any{"spec", "groups", 0, "rules", 0, "labels"}
		o.set(hole(".Values.monitoring.links.runbooks | quote"), append(labels, "runbooks")...)
		o.set(hole(".Values.monitoring.links.grafana | quote"), append(labels, "grafana")...)
	}
}

func prometheus(o object) {
	switch {
	case o.is("Prometheus", "kafka"):
		o.set(hole(".Values.prometheus.externalUrl | quote"), "spec", "externalUrl")
	case o.is("Alertmanager", "kafka"):
		o.set(hole(".Values.prometheus.alertmanagerExternalUrl | quote"), "spec", "externalUrl")
	case o.is("ClusterRoleBinding", ""):
		o.set(hole(namespace), "subjects", 0, "namespace")
	case o.is("Secret", "phasewise-alertmanager"):
		own := strings.ReplaceAll(o.at("data", "alertmanager.yaml").(string), "\n", "")
		o.set(hole(fmt.Sprintf(`.Values.prometheus.alertmanagerConfig | b64enc | default %q`, own)), "data", "alertmanager.yaml")
	}
}

// part is a file of templates: which objects of the production overlay, when, and with which holes.
type part struct {
	file  string
	when  string
	takes func(object) bool
	holes []func(object)
}

func isDashboard(o object) bool {
	return o["kind"] == "ConfigMap" && !o.is("ConfigMap", "kafka-canary")
}

func ofProduction(o object) bool {
	switch o["kind"] {
	case "Prometheus", "Alertmanager", "ClusterRole", "ClusterRoleBinding", "Secret":
		return true
	case "ServiceMonitor", "ServiceAccount":
		name := o.at("metadata", "name")
		return name == "prometheus" || name == "alertmanager"
	}
	return false
}

func ofCanary(o object) bool {
	labels, _ := o.at("metadata").(map[string]any)["labels"].(map[string]any)
	return labels["app.kubernetes.io/name"] == "kafka-canary"
}

var parts = []part{
	{"canary.yaml", "true", ofCanary, []func(object){canary}},
	{"prometheus.yaml", ".Values.prometheus.create", ofProduction, []func(object){monitoring, prometheus}},
	{"dashboards.yaml", ".Values.monitoring.enabled", isDashboard, nil},
	{"monitoring.yaml", `include "phasewise.operator" .`, func(o object) bool { return o["apiVersion"] == "monitoring.coreos.com/v1" }, []func(object){monitoring}},
}

// render is what `kubectl kustomize` makes of a directory.
func render(directory string) ([]object, error) {
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), directory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", directory, err)
	}
	var all []object
	for _, r := range resources.Resources() {
		m, err := r.Map()
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// templates are the files below templates/.
func templates(deploy string) (map[string]string, error) {
	// The canary without an overlay's credentials, all else as the overlay has it.
	base, err := render(filepath.Join(deploy, "canary"))
	if err != nil {
		return nil, err
	}
	production, err := render(filepath.Join(deploy, "examples/production"))
	if err != nil {
		return nil, err
	}
	all := base
	for _, o := range production {
		if !ofCanary(o) && o["kind"] != "Namespace" {
			all = append(all, o)
		}
	}
	classic, err := classicRules(deploy)
	if err != nil {
		return nil, err
	}
	all = append(all, classic)
	files := map[string]string{}
	for _, o := range all {
		taken := false
		for _, p := range parts {
			if !p.takes(o) {
				continue
			}
			if o["kind"] != "ClusterRole" && o["kind"] != "ClusterRoleBinding" {
				o.set(hole(namespace), "metadata", "namespace")
			}
			for _, make := range p.holes {
				make(o)
			}
			template, err := text(o)
			if err != nil {
				return nil, err
			}
			files[p.file] += "---\n" + onlyOf(o, template)
			taken = true
			break
		}
		if !taken {
			return nil, fmt.Errorf("no file of the chart holds %v %v", o["kind"], o.at("metadata", "name"))
		}
	}
	for _, p := range parts {
		files[p.file] = "{{- if " + p.when + " }}\n" + files[p.file] + "{{- end }}\n"
	}
	return files, strimzi(deploy, files)
}

// classicRules are the rules for a Prometheus without native histograms, which no overlay has.
func classicRules(deploy string) (object, error) {
	content, err := os.ReadFile(filepath.Join(deploy, "../prometheus/operator/classic/prometheusrule-classic.yml"))
	if err != nil {
		return nil, err
	}
	var rules object
	return rules, yaml.Unmarshal(content, &rules)
}

// onlyOf has the native or the classic rules installed, never both.
func onlyOf(o object, template string) string {
	for _, histograms := range []string{"native", "classic"} {
		if o.is("PrometheusRule", "phasewise-"+histograms) {
			return fmt.Sprintf("{{- if eq .Values.monitoring.histograms %q }}\n%s{{- end }}\n", histograms, template)
		}
	}
	return template
}

// strimzi adds the exporters' Services: the example's, for any cluster's name.
func strimzi(deploy string, files map[string]string) error {
	example, err := os.ReadFile(filepath.Join(deploy, "examples/strimzi/exporter.yaml"))
	if err != nil {
		return err
	}
	const cluster = "{{ .Values.strimzi.cluster }}"
	named := strings.ReplaceAll(string(example), "prod-kafka", cluster+"-kafka")
	named = regexp.MustCompile(`(?m)(/cluster): prod$`).ReplaceAllString(named, "$1: "+cluster)
	named = regexp.MustCompile(`(?m)^metadata:$`).ReplaceAllString(named, "metadata:\n  namespace: {{ .Values.strimzi.namespace }}")
	if strings.Contains(named, "prod") {
		return fmt.Errorf("examples/strimzi/exporter.yaml: the cluster is named in a place that the chart does not replace")
	}
	files["strimzi.yaml"] = "{{- if .Values.strimzi.cluster }}\n" + named + "{{- end }}\n"
	return nil
}

// chart is every file of the chart, by its path in it.
func chart(deploy string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range []string{"Chart.yaml", "values.yaml", "values.schema.json"} {
		content, err := os.ReadFile(filepath.Join(deploy, "chart", name))
		if err != nil {
			return nil, err
		}
		files[name] = content
	}
	for _, name := range []string{"_helpers.tpl", "NOTES.txt"} {
		content, err := os.ReadFile(filepath.Join(deploy, "chart", name))
		if err != nil {
			return nil, err
		}
		files["templates/"+name] = content
	}
	made, err := templates(deploy)
	for name, content := range made {
		files["templates/"+name] = []byte(content)
	}
	return files, err
}

// write packs the chart as `helm package` does.
func write(files map[string][]byte, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer file.Close()
	zipped := gzip.NewWriter(file)
	archive := tar.NewWriter(zipped)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		header := &tar.Header{Name: "phasewise/" + name, Mode: 0o644, Size: int64(len(files[name]))}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(files[name]); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return zipped.Close()
}

func main() {
	const to = "target/phasewise-0.1.0.tgz"
	files, err := chart(".")
	if err == nil {
		err = write(files, to)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(to)
}
