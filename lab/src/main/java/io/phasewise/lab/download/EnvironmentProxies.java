/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.download;

import java.io.IOException;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the way to a server as other programs of a command line do: {@code https_proxy}, {@code
 * http_proxy}, {@code all_proxy} and {@code no_proxy}, of which Java itself knows none. Without one
 * of them Java's own settings hold.
 */
public final class EnvironmentProxies extends ProxySelector {

    private static final Duration CONNECT_BOUND = Duration.ofSeconds(3);
    private static final int HTTP_PORT = 80;

    private final Optional<URI> forHttps;
    private final Optional<URI> forHttp;
    private final List<String> without;

    private EnvironmentProxies(Map<String, String> environment) throws IOException {
        Optional<URI> forAll = proxy(environment, "all_proxy", "ALL_PROXY");
        this.forHttps = proxy(environment, "https_proxy", "HTTPS_PROXY").or(() -> forAll);
        // Not in capitals: there it is a header of a request, where a web server starts programs.
        this.forHttp = proxy(environment, "http_proxy").or(() -> forAll);
        this.without = Arrays.stream(first(environment, "no_proxy", "NO_PROXY")
                        .orElse("")
                        .toLowerCase(Locale.ROOT)
                        .split("[,\\s]+"))
                .filter(each -> !each.isEmpty())
                .toList();
    }

    /**
     * A client that goes through the proxies of an environment, and follows redirects but never
     * from https to http.
     *
     * @throws IOException when the environment names a proxy of a kind that Java has not
     */
    public static HttpClient client(Map<String, String> environment) throws IOException {
        EnvironmentProxies proxies = new EnvironmentProxies(environment);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_BOUND)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .proxy(proxies);
        if (proxies.authentication(proxies.forHttps).isPresent()
                || proxies.authentication(proxies.forHttp).isPresent()) {
            builder.authenticator(new Authenticator() {
                @Override
                protected PasswordAuthentication getPasswordAuthentication() {
                    return proxies.forHost(getRequestingHost(), getRequestingPort(), getRequestorType());
                }
            });
        }
        return builder.build();
    }

    @Override
    public List<Proxy> select(URI uri) {
        Optional<URI> proxy = "https".equals(uri.getScheme()) ? forHttps : forHttp;
        if (proxy.isEmpty()) {
            ProxySelector java = ProxySelector.getDefault();
            return java == null ? List.of(Proxy.NO_PROXY) : java.select(uri);
        }
        return isWithout(uri) ? List.of(Proxy.NO_PROXY) : List.of(new Proxy(Proxy.Type.HTTP, address(proxy.get())));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // There is no other to take instead.
    }

    /** Whether the host, or a domain that it is in, is one that no proxy is asked for. */
    private boolean isWithout(URI uri) {
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : HTTP_PORT;
        return without.stream()
                .map(each -> each.endsWith(":" + port) ? each.substring(0, each.lastIndexOf(':')) : each)
                .map(each -> each.startsWith("*.") ? each.substring(2) : each)
                .map(each -> each.startsWith(".") ? each.substring(1) : each)
                .anyMatch(each -> each.equals("*") || host.equals(each) || host.endsWith("." + each));
    }

    private PasswordAuthentication forHost(String host, int port, Authenticator.RequestorType type) {
        if (type != Authenticator.RequestorType.PROXY) {
            return null;
        }
        return List.of(forHttps, forHttp).stream()
                .filter(proxy -> proxy.isPresent()
                        && proxy.get().getHost().equals(host)
                        && address(proxy.get()).getPort() == port)
                .flatMap(proxy -> authentication(proxy).stream())
                .findFirst()
                .orElse(null);
    }

    private Optional<PasswordAuthentication> authentication(Optional<URI> proxy) {
        return proxy.map(URI::getUserInfo).map(user -> {
            String[] parts = user.split(":", 2);
            return new PasswordAuthentication(parts[0], parts.length == 1 ? new char[0] : parts[1].toCharArray());
        });
    }

    private static InetSocketAddress address(URI proxy) {
        // Unresolved: the client looks the name up itself, within its time-out.
        return InetSocketAddress.createUnresolved(proxy.getHost(), proxy.getPort() >= 0 ? proxy.getPort() : HTTP_PORT);
    }

    private static Optional<URI> proxy(Map<String, String> environment, String... names) throws IOException {
        Optional<String> told = first(environment, names);
        if (told.isEmpty()) {
            return Optional.empty();
        }
        String value = told.get();
        try {
            URI uri = URI.create(value.contains("://") ? value : "http://" + value);
            if ("http".equals(uri.getScheme()) && uri.getHost() != null) {
                return Optional.of(uri);
            }
        } catch (IllegalArgumentException notOne) {
            // Said below, without the value: it may hold a password.
        }
        throw new IOException(names[0] + " in the environment is not http://[USER:PASSWORD@]HOST[:PORT]");
    }

    private static Optional<String> first(Map<String, String> environment, String... names) {
        return Arrays.stream(names)
                .map(name -> environment.getOrDefault(name, "").strip())
                .filter(value -> !value.isEmpty())
                .findFirst();
    }
}
