/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.process.ProcessSpec;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How to run each server on the loopback interface: pure functions that make a {@link ProcessSpec}
 * of paths and ports; and the URLs that say whether it is ready.
 */
public final class ServerSpecs {

    /** {@link #prometheus} or {@link #alertmanager}. */
    @FunctionalInterface
    public interface Configured {
        /** How to run it. */
        ProcessSpec spec(ServerInstallation installation, Path configuration, Path data, int port, Path log);
    }

    private ServerSpecs() {}

    /**
     * Prometheus, reloadable over HTTP.
     *
     * @param configuration its prometheus.yml; paths in it are relative to its directory
     * @param data its time series; kept from run to run
     * @param port 1 to 65535
     * @param log file for its output
     */
    public static ProcessSpec prometheus(
            ServerInstallation installation, Path configuration, Path data, int port, Path log) {
        List<String> options = List.of(
                "--storage.tsdb.path=" + data,
                // The error budget is over 30 days.
                "--storage.tsdb.retention.time=31d",
                "--storage.tsdb.retention.size=2GB",
                "--web.enable-lifecycle",
                // // For the canary's exemplars, which name slow probes; 100,000 of them take some
                // 10 MB.
                "--enable-feature=exemplar-storage");
        return spec("prometheus", installation, configuration, port, log, options);
    }

    /**
     * Alertmanager, alone (no peers).
     *
     * @param configuration its alertmanager.yml
     * @param data silences and what was sent; kept from run to run
     * @param port 1 to 65535
     * @param log file for its output
     */
    public static ProcessSpec alertmanager(
            ServerInstallation installation, Path configuration, Path data, int port, Path log) {
        List<String> options = List.of("--storage.path=" + data, "--cluster.listen-address=");
        return spec("alertmanager", installation, configuration, port, log, options);
    }

    private static ProcessSpec spec(
            String name,
            ServerInstallation installation,
            Path configuration,
            int port,
            Path log,
            List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(installation.server().toString());
        command.add("--config.file=" + configuration);
        command.add("--web.listen-address=127.0.0.1:" + port);
        command.add("--web.external-url=" + url(port));
        command.addAll(options);
        Path directory = configuration.toAbsolutePath().getParent();
        return new ProcessSpec(name, command, Map.of(), directory, log);
    }

    /**
     * node_exporter, with only those collectors that dashboards use.
     *
     * @param home its working directory; need not exist
     * @param port 1 to 65535
     * @param log file for its output
     */
    public static ProcessSpec nodeExporter(ServerInstallation installation, Path home, int port, Path log) {
        List<String> command = new ArrayList<>();
        command.add(installation.server().toString());
        command.add("--web.listen-address=127.0.0.1:" + port);
        command.add("--collector.disable-defaults");
        for (String each : "cpu diskstats loadavg meminfo netdev netstat uname vmstat".split(" ")) {
            command.add("--collector." + each);
        }
        return new ProcessSpec("node-exporter", command, Map.of(), home, log);
    }

    /**
     * Grafana. Everybody on this machine can view it without a login, nobody else can reach it; it
     * sends nothing out.
     *
     * @param dashboards directory of the repository with provisioning and the dashboards' JSON
     * @param prometheus address of the data source
     * @param data its own data; kept from run to run
     * @param port 1 to 65535
     * @param log file for its output
     */
    public static ProcessSpec grafana(
            GrafanaInstallation installation, Path dashboards, URI prometheus, Path data, int port, Path log) {
        Map<String, String> environment = JarResource.properties(ServerSpecs.class, "grafana.properties");
        environment.put("GF_SERVER_HTTP_PORT", Integer.toString(port));
        environment.put("GF_SERVER_ROOT_URL", url(port).toString());
        environment.put("GF_PATHS_DATA", data.toString());
        environment.put("GF_PATHS_LOGS", data.resolve("log").toString());
        environment.put("GF_PATHS_PLUGINS", data.resolve("plugins").toString());
        environment.put(
                "GF_PATHS_PROVISIONING", dashboards.resolve("provisioning").toString());
        environment.put("PHASEWISE_PROMETHEUS_URL", prometheus.toString());
        environment.put("PHASEWISE_DASHBOARDS", dashboards.resolve("generated").toString());
        String home = installation.home().toString();
        List<String> command = List.of(installation.program().toString(), "server", "--homepath", home);
        return new ProcessSpec("grafana", command, environment, data, log);
    }

    /**
     * The HTTP address of a loopback port.
     *
     * @param port 1 to 65535
     */
    public static URI url(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Answers 200 as soon as Prometheus or Alertmanager serves. */
    public static URI ready(int port) {
        return URI.create(url(port) + "/-/ready");
    }
}
