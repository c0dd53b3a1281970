/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Certificates and keys from files, and what connections are made of. */
package io.phasewise.common.tls;
