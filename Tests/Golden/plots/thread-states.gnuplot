set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Threads: Scroll window (scheduling-faults)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "frame \064\060\073 main thread waited \062\066.\065 ms (usually \060.\062) for a CPU, while hog ran \062\066.\063 ms there" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.115
set rmargin at screen 0.976
set tmargin at screen 0.8571428571428572
set bmargin at screen 0.39795918367346944
set xrange [708.0069:759.9999]
set xlabel "time in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid noxtics
set yrange [1.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("main thread" 0.0, "other hog" 1.0)
set grid noytics
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(2) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 0.5 linecolor rgb "#1f2328" title "start and hand-over", \
  "data/\061" binary format="%double%double%double%double" record=(4) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "running", \
  "data/\062" binary format="%double%double%double%double" record=(2) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#d55e00" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "no CPU", \
  "data/\063" binary format="%double%double%double%double" record=(2) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#6e7781" fillstyle transparent solid 0.35 border linecolor rgb "#6e7781" linewidth 0.4 title "waiting"
unset label
set lmargin at screen 0.115
set rmargin at screen 0.976
set tmargin at screen 0.2836734693877551
set bmargin at screen 0.10000000000000003
set xrange [708.0069:759.9999]
set xlabel "time in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid noxtics
set yrange [1.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("slices" 0.0, "" 1.0)
set grid noytics
unset key
set label 100 "doFrame" at 734.0034,0.0 center noenhanced front textcolor rgb "#1f2328"
set label 101 "draw" at 748.7093789999999,1.0 center noenhanced front textcolor rgb "#1f2328"
plot "data/\064" binary format="%double%double%double%double" record=(2) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle transparent solid 0.35 border linecolor rgb "#6e7781" linewidth 0.4 notitle, \
  "data/\065" binary format="%double%double%double%double" record=(3) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle transparent solid 0.35 border linecolor rgb "#6e7781" linewidth 0.4 notitle
unset label
unset multiplot
unset output
# data/0: 716.6724 -0.6 716.6724 1.6 751.3344 -0.6 751.3344 1.6
# data/1: 708.0069 708.339 -0.38 0.38 716.6724 719.58909 -0.38 0.38 746.084358 751.3344 -0.38 0.38 719.755758 746.084358 0.62 1.38
# data/2: 719.58909 719.755758 -0.38 0.38 719.755758 746.084358 -0.38 0.38
# data/3: 708.339 716.6724 -0.38 0.38 751.3344 759.9999 -0.38 0.38
# data/4: 708.0069 708.339 -0.38 0.38 716.6724 751.3344 -0.38 0.38
# data/5: 708.0069 708.339 0.62 1.38 716.6724 719.58909 0.62 1.38 746.084358 751.3344 0.62 1.38
