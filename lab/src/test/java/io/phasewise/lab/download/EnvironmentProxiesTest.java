/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which proxy is asked for which host, as curl and Go do it. */
class EnvironmentProxiesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    https_proxy=http://p:3128                          | https://github.com | p:3128
                    HTTPS_PROXY=http://p:3128                          | https://github.com | p:3128
                    https_proxy=p:3128                                 | https://github.com | p:3128
                    https_proxy=http://me:secret@p                     | https://github.com | p:80
                    https_proxy=p:3128                                 | http://github.com  | -
                    http_proxy=p:3128                                  | http://github.com  | p:3128
                    HTTP_PROXY=p:3128                                  | http://github.com  | -
                    all_proxy=p:3128                                   | https://github.com | p:3128
                    all_proxy=a:1 https_proxy=p:3128                   | https://github.com | p:3128
                    https_proxy=p:1 no_proxy=github.com                | https://github.com | -
                    https_proxy=p:1 no_proxy=other,GitHub.com          | https://github.com | -
                    https_proxy=p:1 no_proxy=.github.com               | https://api.github.com | -
                    https_proxy=p:1 no_proxy=github.com                | https://api.github.com | -
                    https_proxy=p:1 no_proxy=*.github.com              | https://api.github.com | -
                    https_proxy=p:1 no_proxy=github.com                | https://notgithub.com | p:1
                    https_proxy=p:1 no_proxy=github.com:443            | https://github.com | -
                    https_proxy=p:1 no_proxy=github.com:8443           | https://github.com | p:1
                    https_proxy=p:1 no_proxy=*                         | https://github.com | -
                    https_proxy=p:1 NO_PROXY=github.com                | https://github.com | -
                    -                                                  | https://github.com | -
                    """)
    void isFoundInTheEnvironment(String environment, URI uri, String expected) throws IOException {
        ProxySelector proxies = client(environment).proxy().orElseThrow();

        InetSocketAddress address =
                (InetSocketAddress) proxies.select(uri).get(0).address();
        assertThat(address == null ? null : address.getHostString() + ":" + address.getPort())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://p:1080", "https://p:443", "http://", "http://p q"})
    void ofAKindThatJavaHasNotIsRefusedWithoutItsPassword(String proxy) {
        assertThatThrownBy(() -> EnvironmentProxies.client(Map.of("https_proxy", proxy)))
                .isInstanceOf(IOException.class)
                .hasMessage("https_proxy in the environment is not http://[USER:PASSWORD@]HOST[:PORT]");
    }

    @Test
    void theClientWaitsThreeSecondsForAConnectionAndFollowsNoRedirectToPlainHttp() throws IOException {
        HttpClient client = client("-");

        assertThat(client.connectTimeout().orElseThrow().toSeconds()).isEqualTo(3);
        assertThat(client.followRedirects()).isEqualTo(HttpClient.Redirect.NORMAL);
        assertThat(client.proxy().orElseThrow().select(URI.create("https://github.com")))
                .containsExactly(Proxy.NO_PROXY);
    }

    private static HttpClient client(String environment) throws IOException {
        Map<String, String> variables = new HashMap<>();
        if (environment != null && environment.contains("=")) {
            for (String each : environment.split(" ")) {
                String[] parts = each.split("=", 2);
                variables.put(parts[0], parts[1]);
            }
        }
        return EnvironmentProxies.client(variables);
    }
}
