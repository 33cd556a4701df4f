# Verifies a receipt or statement of Cradle without Cradle, as docs/formats.md describes it: hash, signature, orders.
# Usage: verify-document.py DOCUMENT [RECEIPT or PROOF of the statement]. Prints what was verified.
import base64, hashlib, json, sys

try:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
except ImportError:
    load_pem_public_key = None

def number(x):  # as ECMAScript writes it, which differs from Python in exponents alone
    text = repr(x)
    if "e" not in text: return text.removesuffix(".0")
    digits, exponent = text.split("e")
    sign, digits = ("-", digits[1:]) if digits[0] == "-" else ("", digits)
    whole, _, rest = digits.partition(".")
    point, figures = len(whole) + int(exponent), whole + rest
    if -6 < point <= 0: return sign + "0." + "0" * -point + figures
    if 0 < point <= 21: return sign + figures.ljust(point, "0")
    return f"{sign}{digits}e{int(exponent):+d}"

def canonical(x):  # RFC 8785
    if isinstance(x, dict):
        names = sorted(x, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(x[name]) for name in names) + "}"
    if isinstance(x, list): return "[" + ",".join(map(canonical, x)) + "]"
    return number(x) if isinstance(x, float) else json.dumps(x, ensure_ascii=False)

sha256 = lambda data: hashlib.sha256(data)
digest = lambda x: sha256(canonical(x).encode()).hexdigest()
unpack = lambda text: base64.urlsafe_b64decode(text + "==")
leaf = lambda one: sha256(b"\0" + canonical({k: one[k] for k in ("order_id", "revision", "digest") if k in one}).encode()).digest()
node = lambda left, right: sha256(b"\1" + left + right).digest()

def root(leaves):  # RFC 6962, section 2.1
    if len(leaves) < 2: return leaves[0] if leaves else sha256(b"").digest()
    left = 1
    while left * 2 < len(leaves): left *= 2
    return node(root(leaves[:left]), root(leaves[left:]))

def climb(hash, index, size, path):  # the root that follows from a leaf
    if size == 1: return hash
    left = 1
    while left * 2 < size: left *= 2
    if index < left: return node(climb(hash, index, left, path[:-1]), path[-1])
    return node(path[-1], climb(hash, index - left, size - left, path[:-1]))

document = json.load(open(sys.argv[1]))
content = {name: value for name, value in document.items() if name not in ("hash", "signature")}
assert digest(content) == document["hash"]["value"], "hash"
print("hash")
if load_pem_public_key and "signature" in document:
    header, payload, signature = document["signature"]["value"].split(".")
    key = load_pem_public_key(document["signed_by"]["public_key"].encode())
    key.verify(unpack(signature), f"{header}.{payload}".encode())
    assert unpack(payload).decode() == document["hash"]["value"], "payload"
    assert hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest() == document["signed_by"]["fingerprint"], "fingerprint"
    print("signature")
if "completeness" in document:
    order_of = lambda one: (one["order_id"], one.get("revision", 1))
    rentals = [{**r, "serial_number": d["serial_number"]} for d in document["devices"] for r in d["rentals"]]
    orders = [{k: o[k] for k in ("order_id", "revision") if k in o} | {"digest": digest(
        {"order": o, "rentals": [r for r in rentals if order_of(r) == order_of(o)]})} for o in document["orders"]]
    assert sorted(orders, key=order_of) == document["completeness"]["orders"], "orders"
    assert len(set(map(order_of, orders))) == len(orders), "twice"
    assert root([leaf(one) for one in document["completeness"]["orders"]]).hex() == document["completeness"]["root"], "root"
    print("completeness")
for other in map(lambda name: json.load(open(name)), sys.argv[2:]):
    if "leaves" not in other:  # a receipt
        received = digest(other["order"]["as_received"])
        assert received in [o["content_hash"] for o in document["orders"]], "receipt"
        print("receipt")
        continue
    size, leaves, wanted = other["tree_size"], other["leaves"], other["order_id"]
    for one in leaves:
        path = [bytes.fromhex(hash) for hash in one["path"]]
        assert climb(leaf(one), one["index"], size, path).hex() == document["completeness"]["root"], "path"
    places = [one["index"] for one in leaves]
    if other["is_included"]: assert leaves and all(one["order_id"] == wanted for one in leaves), "other order"
    else:
        assert places in ([p, p + 1] for p in range(-1, size)) or places == [0] or places == [size - 1] or size == 0, "places"
        before = [one["order_id"] < wanted for one in leaves]
        assert before in ([True, False], [True] if places == [size - 1] else [False] if places == [0] else []), "between"
    print("included" if other["is_included"] else "not included")
