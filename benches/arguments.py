"""Arguments of actions, held against the model checker: `benches/arguments.py FACTGATE SEED COUNT`, with $TLA2TOOLS_JAR set.

Each generated specification has one counterexample, whose arguments stand in the variable `last`: quantified, nested, handed on,
written out, of every kind of value. A run that names these arguments must be as expected, one with another argument must not.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

B = os.path.abspath(sys.argv[1])
env = dict(os.environ)
seed, n = int(sys.argv[2]), int(sys.argv[3])
rnd = random.Random(seed)
scratch = tempfile.TemporaryDirectory()
D = scratch.name
os.makedirs(D + '/model')
# A kind of values: the set in TLA+ from which a quantifier takes it.
KINDS={'num':['1','2','3'],'text':['"a"','"b"','"m1"'],'model':['m1','m2','m3'],'set':['{1}','{1, 2}','{}'],'mset':['{m1}','{m1, m2}','{}'],'tuple':['<<1, "a">>','<<2, "b">>','<<1, "b">>'],'rec':['[from |-> m1, n |-> 1]','[from |-> m2, n |-> 1]','[from |-> m1, n |-> 2]'],'nested':['{<<1, m1>>}','{<<1, m1>>, <<2, m2>>}','{<<2, m1>>}']}
cfg='[model]\nname = "o"\nfiles = ["model/*.tla"]\ncover = []\n[engine]\nkind = "tlc"\n[defaults]\ncfg = "model/m.cfg"\ncheck_deadlock = false\n'
open(D+'/model/m.cfg','w').write('CONSTANTS m1 = m1\nm2 = m2\nm3 = m3\n')
want={}
for i in range(n):
    ks=[rnd.choice(list(KINDS)) for _ in range(rnd.choice([1,1,2]))]
    steps=rnd.choice([1,2,3])
    path=[[rnd.choice(KINDS[k]) for k in ks] for _ in range(steps)]
    names=['p','q'][:len(ks)]
    sets=['{'+', '.join(KINDS[k])+'}' for k in ks]
    tup=lambda vs:'<<'+', '.join(vs)+'>>'
    # Act(p, q) is only allowed along the path, plus decoys that lead nowhere.
    body=f'Act({", ".join(names)}) == step < {steps} /\\ {tup(names)} = (CASE '+' [] '.join(f'step = {j} -> {tup(p)}' for j,p in enumerate(path))+f') /\\ step\' = step + 1 /\\ last\' = {tup(names)}'
    shape=rnd.choice(['flat','nested','handed','literal','dep'])
    q=' : '.join(f'\\E {a} \\in {s}' for a,s in zip(names,sets))
    if shape=='flat': nxt='Next == \\E '+', '.join(f'{a} \\in {s}' for a,s in zip(names,sets))+f' : Act({", ".join(names)})'
    elif shape=='nested': nxt=f'Next == {q} : Act({", ".join(names)})'
    elif shape=='handed': nxt=f'Hand({names[0]}x) == '+(f'\\E {names[1]} \\in {sets[1]} : ' if len(ks)>1 else '')+f'Act({", ".join([names[0]+"x"]+names[1:])})\nNext == \\E v \\in {sets[0]} : Hand(v)'
    elif shape=='literal': nxt='Next == '+' \\/ '.join(f'Act({", ".join(p)})' for p in {tuple(p) for p in path}|{tuple(KINDS[k][0] for k in ks)})
    else: nxt=f'Sets == {tup(sets)}\nNext == '+' : '.join(f'\\E {a} \\in Sets[{j+1}]' for j,a in enumerate(names))+f' : Act({", ".join(names)})'
    open(f'{D}/model/S{i}.tla','w').write(f'---- MODULE S{i} ----\nEXTENDS Naturals\nCONSTANTS m1, m2, m3\nVARIABLES step, last\nInit == step = 0 /\\ last = <<>>\n{body}\n{nxt}\nSpec == Init /\\ [][Next]_<<step, last>>\nNever == step < {steps}\n====\n')
    alt=[list(p) for p in path]; j=rnd.randrange(steps); k=rnd.randrange(len(ks)); alt[j][k]=rnd.choice([v for v in KINDS[ks[k]] if v!=alt[j][k]])
    for tag,p in (('right',path),('wrong',alt)):
        acts=json.dumps([f'Act({", ".join(x)})' for x in p])
        cfg+=f'[run.s{i}-{tag}]\nspec = "model/S{i}.tla"\ninvariants = ["Never"]\nexpect = "violated Never"\nactions = {acts}\n'
        want[f's{i}-{tag}']=(tag=='right',shape,ks,p)
open(D+'/factgate.toml','w').write(cfg)
subprocess.run('git init -q && git add -A && git -c user.name=a -c user.email=a@e.invalid commit -qm a',shell=True,cwd=D)
r=subprocess.run([B,'verify','--format','json','--jobs','2'],cwd=D,env=env,capture_output=True,text=True)
j=json.loads(r.stdout); runs=j['models'][0]['runs']
bad=0
for run in runs:
    ok,shape,ks,p=want[run['name']]
    if run['ok']!=ok:
        bad+=1; print('DIFFER',run['name'],shape,ks,p,run['outcome'],(run['detail'] or '')[:300])
print(seed,'runs',len(runs),'differ',bad, r.stderr[:300] if not runs else '')
sys.exit(1 if bad or len(runs) != 2 * n else 0)
